/**
 * Lets the browser's own Back and Forward move between screens.
 *
 * Browsers store when each entry of the session history was made. So only the screens before the first question have separate
 * entries. After that the page stays at one entry, with another ahead of it for Forward. All have this page's address and a
 * number, and nothing about them reveals what was answered or skipped.
 */

export class Trail {
  #history;
  #arrive;
  #last;
  #place = 0;
  /** The number of the browser's current entry. */
  #at;
  /** The number of the entry to which this page has asked the browser to go. */
  #going = null;

  /**
   * @param {History} history
   * @param {Window} target where `popstate` arrives
   * @param {(place: number) => number} arrive shows the screen of a place, and returns the place that is shown
   * @param {number} last the last place with a separate entry, at least 1
   */
  constructor(history, target, arrive, last) {
    this.#history = history;
    this.#arrive = arrive;
    this.#last = last;
    history.scrollRestoration = "manual";
    target.addEventListener("popstate", ({ state }) => this.#moved(state?.place ?? 0));
    // After a reload the answers are gone, so start again.
    this.#at = history.state?.place ?? 0;
    this.moveTo(0);
  }

  /** A place is shown: go to its entry, forward by adding entries, or back along existing ones. */
  moveTo(place) {
    this.#place = place;
    const entry = Math.min(place, this.#last);
    if (entry < this.#at) {
      this.#go(entry);
    } else if (entry > this.#at) {
      this.#push(entry === this.#last ? entry + 1 : entry);
      this.moveTo(place);
    }
  }

  back() {
    this.moveTo(this.#arrive(this.#place - 1));
  }

  #push(entry) {
    while (this.#at < entry) {
      this.#at += 1;
      this.#history.pushState({ place: this.#at }, "");
    }
  }

  #go(entry) {
    if (this.#going !== entry) {
      this.#going = entry;
      this.#history.go(entry - this.#at);
    }
  }

  #moved(entry) {
    const steps = entry - this.#at;
    const isOwn = entry === this.#going;
    this.#at = entry;
    this.#going = null;
    this.moveTo(isOwn ? this.#place : this.#arrive(this.#place + steps));
  }
}
