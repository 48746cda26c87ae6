/*
 * The planner: figures that follow the form. The server works them out and writes them; this asks again after
 * each change, keeps the address true, and lets sliders and fields move each other. Without JavaScript the
 * form's button does the same.
 */

const PAUSE = 20;

/** Ask for the figures of a form, the newest question only. */
class Figures {
  /** @param {HTMLFormElement} form @param {HTMLElement} room @param {(text: string) => void} say */
  constructor(form, room, say) {
    this.form = form;
    this.room = room;
    this.say = say;
    this.asked = null;
    this.timer = 0;
  }

  /** Ask soon: typing a number is one change. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), PAUSE);
  }

  async now() {
    const query = `?${new URLSearchParams(new FormData(this.form))}`;
    this.asked?.abort();
    this.asked = new AbortController();
    let answer;
    try {
      answer = await fetch(`${this.form.dataset.figures}${query}`, { signal: this.asked.signal });
    } catch {
      return; // A newer question was asked, or the network is away: what stands there stays.
    }
    if (answer.redirected) {
      location.reload();
      return;
    }
    if (answer.status !== 200 && answer.status !== 422) {
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const isOpen = [...this.room.querySelectorAll("details")].map((one) => one.open);
    this.room.replaceChildren(...page.body.childNodes);
    [...this.room.querySelectorAll("details")].forEach((one, place) => {
      one.open = isOpen[place] ?? false;
    });
    history.replaceState(null, "", query);
    const epsilon = this.room.querySelector("[data-epsilon]");
    this.say(epsilon ? `ε ${epsilon.textContent}` : this.room.textContent.trim());
  }
}

/** Let a slider and its field move each other. @param {HTMLInputElement} slider @param {() => void} changed */
export function mirrored(slider, changed) {
  const field = document.getElementById(slider.dataset.mirrors);
  slider.hidden = false;
  slider.addEventListener("input", () => {
    field.value = slider.value;
    changed();
  });
  field.addEventListener("input", () => {
    slider.value = field.value;
  });
}

const form = document.querySelector("[data-figures]");
if (form) {
  const said = document.getElementById("planner-said");
  const figures = new Figures(form, document.getElementById("figures"), (text) => {
    said.textContent = text;
  });
  form.addEventListener("input", () => figures.later());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    figures.now();
  });
  for (const slider of form.querySelectorAll("[data-mirrors]")) {
    mirrored(slider, () => figures.later());
  }
}
