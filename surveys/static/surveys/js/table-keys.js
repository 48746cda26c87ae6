/*
 * The arrow keys turn the pages of a table, or go from rule to rule: they follow the links named prev and next.
 * Where a control, a frame that scrolls or a modifier has the key already, nothing happens.
 */

const TAKEN = "input, select, textarea, summary, [contenteditable], [tabindex]:not([tabindex='-1'])";

/**
 * Say which link a key follows.
 * @param {{key: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean}} event
 * @param {boolean} rightToLeft
 * @returns {"prev"|"next"|null}
 */
export function wanted(event, rightToLeft) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const [back, onward] = rightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  if (event.key === back) return "prev";
  return event.key === onward ? "next" : null;
}

if (typeof document !== "undefined") {
  for (const hint of document.querySelectorAll("[data-table-keys]")) hint.hidden = false;
  document.addEventListener("keydown", (event) => {
    const rel = wanted(event, document.documentElement.dir === "rtl");
    if (!rel || event.defaultPrevented || event.target.closest(TAKEN)) return;
    const link = document.querySelector(`a[rel="${rel}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
}
