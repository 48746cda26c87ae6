/**
 * The browser's own Back and Forward move between screens.
 *
 * A browser keeps when each entry of the session history was made. So only the screens before the first question
 * leave one each; from there on the page stays on one entry, with one ahead of it for Forward. All have this page's
 * address and a number: nothing about them tells what was answered or skipped.
 */

export class Trail {
  #history;
  #arrive;
  #last;
  #place = 0;
  /** The number of the entry that the browser is at. */
  #at;
  /** The number of the entry that this page has asked the browser to go to. */
  #going = null;

  /**
   * @param {History} history
   * @param {Window} target where `popstate` arrives
   * @param {(place: number) => number} arrive shows what belongs to a place, and gives the place that it shows
   * @param {number} last the last place with an entry of its own, at least 1
   */
  constructor(history, target, arrive, last) {
    this.#history = history;
    this.#arrive = arrive;
    this.#last = last;
    history.scrollRestoration = "manual";
    target.addEventListener("popstate", ({ state }) => this.#moved(state?.place ?? 0));
    // After a reload the answers are gone, and so is the way that led to them.
    this.#at = history.state?.place ?? 0;
    this.moveTo(0);
  }

  /** A place is shown: be at its entry, stepping forward by new entries, or back along those that are there. */
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
