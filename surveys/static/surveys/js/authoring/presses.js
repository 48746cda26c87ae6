/**
 * Presses in progress. An element that is replaced between press and release gets no click, so whatever draws panes again
 * without being asked by the person, such as the answer to a save, waits until nothing is pressed.
 */

export class Presses {
  /** @param {EventTarget} target that all presses reach @param {(run: () => void) => void} later runs after the click */
  constructor(target, later = (run) => setTimeout(run)) {
    this.isPressed = false;
    /** @type {(() => void)[]} */
    this.waiting = [];
    const press = () => {
      this.isPressed = true;
    };
    const release = () => later(() => this.#release());
    const on = (name, listener) => target.addEventListener(name, listener, true);
    on("pointerdown", press);
    on("pointerup", release);
    on("pointercancel", release);
    // Released outside the window.
    on("pointermove", (event) => this.isPressed && event.buttons === 0 && release());
    // Space presses a button when it is released, Enter at once.
    on("keydown", (event) => event.key === " " && press());
    on("keyup", (event) => event.key === " " && release());
  }

  /** Run now, or as soon as nothing is pressed. @param {() => void} run */
  whenReleased(run) {
    if (this.isPressed) {
      this.waiting.push(run);
    } else {
      run();
    }
  }

  #release() {
    this.isPressed = false;
    for (const run of this.waiting.splice(0)) {
      run();
    }
  }
}
