/**
 * Staff pages that answer a sent form: *Back* returns to their address instead of asking to send the form again.
 * A reload still sends the form again, after the browser's question, because it keeps what was entered.
 */

/** Whether a click on a link leaves the page. */
function leaves(link) {
  return link && !(link.hash && link.href.split("#")[0] === location.href.split("#")[0]);
}

function forget() {
  history.replaceState(history.state, "", location.href);
}

addEventListener("submit", forget);
addEventListener("click", (event) => {
  if (leaves(event.target.closest?.("a[href]"))) {
    forget();
  }
});
