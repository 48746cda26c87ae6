/**
 * A form whose entries stay with its place in the browser's history: a reload, *Back* and *Forward* show them again. A page
 * that refuses entries has no address. The server names one that shows them, and the script puts it into the address bar.
 */

const PAUSE = 500;

/** Whether a person makes the entry, and a script can restore it. @param {any} control */
function isKept(control) {
  return Boolean(control.name) && !["hidden", "file", "password", "submit", "button", "reset"].includes(control.type);
}

/** Whether a control is ticked rather than written. @param {any} control */
const isTicked = (control) => control.type === "radio" || control.type === "checkbox";

/** The name of a control in the kept entries: a choice also has its value. @param {any} control */
const keyOf = (control) => (isTicked(control) ? `${control.name}=${control.value}` : control.name);

/** Return the entries of a form. @param {Iterable<any>} controls @returns {Record<string, string | boolean>} */
export function entriesOf(controls) {
  const kept = [...controls].filter(isKept);
  return Object.fromEntries(kept.map((each) => [keyOf(each), isTicked(each) ? each.checked : each.value]));
}

/**
 * Restore entries; unknown ones are ignored.
 * @param {Iterable<any>} controls
 * @param {Record<string, string | boolean>} entries
 * @returns {boolean} whether any differed
 */
export function restore(controls, entries) {
  let differs = false;
  for (const control of [...controls].filter(isKept)) {
    const member = isTicked(control) ? "checked" : "value";
    const before = entries[keyOf(control)];
    if (before !== undefined && control[member] !== before) {
      control[member] = before;
      differs = true;
    }
  }
  return differs;
}

if (typeof document !== "undefined") {
  const form = document.querySelector("[data-kept]");
  const save = () => history.replaceState({ ...history.state, entries: entriesOf(form.elements) }, "");
  let waiting = 0;
  if (form.dataset.address) {
    history.replaceState(history.state, "", form.dataset.address);
  }
  // A page opened anew at the same address keeps the browser's state, but its entries are those of another survey.
  const isOpenedAgain = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
  if (isOpenedAgain && history.state?.entries && restore(form.elements, history.state.entries)) {
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  form.addEventListener("change", save);
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(save, PAUSE);
  });
  addEventListener("beforeunload", save);
}
