/** A list of buttons and links with a single Tab stop; arrow keys, Home and End move within it. */

const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * @param {HTMLElement} pane its visible buttons, links and summaries form the list
 * @returns {() => void} to call after redrawing the pane: makes the current element, if any, the Tab stop
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
