/*
 * A button that prints its page. The page hides it where there is no script; the browser's own menu prints as well.
 */

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
