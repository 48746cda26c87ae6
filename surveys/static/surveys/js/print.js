/*
 * A button that prints its page. It stays hidden without JavaScript; the browser's menu prints as well.
 */

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
