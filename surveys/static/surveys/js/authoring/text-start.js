/**
 * A survey as text: the page shows how the text is understood. The server reads it; without JavaScript, a button submits it.
 * Each problem links to its line. A file that is dropped on the text is chosen.
 */

import { Newest } from "../newest.js";

const PAUSE = 300;

/** Start and end of a line in a text. @param {string} text @param {number} number from 1 */
export function lineAt(text, number) {
  const lines = text.split("\n");
  const before = lines.slice(0, number - 1);
  const from = before.reduce((sum, line) => sum + line.length + 1, 0);
  return { from, to: from + (lines[number - 1]?.length ?? 0) };
}

if (typeof document !== "undefined") {
  const form = document.querySelector("[data-text-start]");
  const area = form.elements.pasted;
  const begun = area.defaultValue;
  let isSent = false;
  const pane = form.querySelector("[data-understood]");
  const understood = new Newest(PAUSE, form, "1", (body) => {
    pane.replaceChildren(...body.childNodes);
    form.querySelector("[data-announce]").textContent = pane.querySelector("[data-said]")?.textContent ?? "";
  });
  form.addEventListener("input", () => understood.later());
  form.addEventListener("change", () => understood.later());
  if (area.value !== begun) {
    understood.now(); // The text was written before this script loaded, or restored by the browser.
  }
  form.addEventListener("submit", () => (isSent = true));
  form.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-line]");
    if (link) {
      event.preventDefault();
      const { from, to } = lineAt(area.value, Number(link.dataset.line));
      area.focus();
      area.setSelectionRange(from, to);
      area.scrollTop = (area.scrollHeight * (Number(link.dataset.line) - 3)) / area.value.split("\n").length;
    }
  });
  const file = form.elements.file;
  area.addEventListener("drop", (event) => {
    if (file && event.dataTransfer.files.length) {
      event.preventDefault();
      file.files = event.dataTransfer.files;
      file.focus();
    }
  });
  addEventListener("beforeunload", (event) => {
    if (!isSent && area.value !== begun) {
      event.preventDefault();
    }
  });
}
