/**
 * The browser's own Back and Forward move between screens.
 *
 * The session history holds one entry for each place, all with this page's address and a place number, so neither
 * the entries nor how many there are tell what was answered or skipped.
 */

export class Trail {
  #history;
  #place = 0;

  /**
   * @param {History} history
   * @param {Window} target where `popstate` arrives
   * @param {(place: number) => number} arrive shows what belongs to a place, and gives the place that it shows
   */
  constructor(history, target, arrive) {
    this.#history = history;
    history.scrollRestoration = "manual";
    target.addEventListener("popstate", ({ state }) => {
      this.#place = state?.place ?? 0;
      this.moveTo(arrive(this.#place));
    });
    // After a reload the answers are gone, and so is the way that led to them.
    this.#place = history.state?.place ?? 0;
    this.moveTo(0);
  }

  /** Step forward, leaving an entry for each place on the way; or back, along the entries that are there. */
  moveTo(place) {
    if (place < this.#place) {
      this.#history.go(place - this.#place);
    }
    for (let step = this.#place + 1; step <= place; step += 1) {
      this.#history.pushState({ place: step }, "");
      this.#place = step;
    }
  }

  back() {
    this.#history.back();
  }
}
