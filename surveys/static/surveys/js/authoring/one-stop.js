/** A list of buttons and links that is one stop for the Tab key; arrow keys, Home and End go through it. */

const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * @param {HTMLElement} pane its buttons, links and summaries are the list, whichever it holds at the time
 * @returns {() => void} to be called after the pane was drawn again: one of the list, the current one if there is one, is the stop
 */
export function oneStop(pane) {
  const items = () =>
    Array.from(pane.querySelectorAll("button:enabled, a[href], summary")).filter((item) => item.checkVisibility());
  const settle = (wanted) => {
    const list = items();
    const stop = [wanted, document.activeElement, pane.querySelector("[aria-current]")].find((item) => list.includes(item));
    list.forEach((item, place) => (item.tabIndex = (stop ? item === stop : place === 0) ? 0 : -1));
  };
  pane.addEventListener("focusin", ({ target }) => settle(target));
  pane.addEventListener("keydown", (event) => {
    const list = items();
    const place = list.indexOf(event.target);
    if (place < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in STEPS)) {
      return;
    }
    event.preventDefault();
    list[Math.min(Math.max(place + STEPS[event.key], 0), list.length - 1)].focus();
  });
  settle();
  return () => settle();
}
