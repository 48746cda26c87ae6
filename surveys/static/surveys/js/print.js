/*
 * A button that prints its page. It stays hidden without JavaScript; the browser's menu prints as well.
 * Paper cannot be unfolded, so what belongs on it is unfolded before.
 */

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details.to-print")) {
    folded.open = true;
  }
});
