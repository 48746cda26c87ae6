/**
 * Things to put in order: pressed one after another, each takes the next place; pressed again, it gives its place back.
 * An answer is there once all have one. Loaded only where a survey asks for an order.
 */

import { button, el, fill } from "./dom.js";
import { said } from "./parts.js";

/**
 * The orders of so many things, each as the things by their places. Twin of privacy/estimation/rankings.py.
 * @param {number} size @returns {number[][]}
 */
export function orders(size) {
  const after = (left) => (left.length ? left.flatMap((one) => after(left.filter((other) => other !== one)).map((rest) => [one, ...rest])) : [[]]);
  return after(Array.from({ length: size }, (_, thing) => thing));
}

/** @param {Asked} asked its wording has the things, and an option for each of their orders */
export function control({ wording, texts, value, onAnswer }) {
  const { things } = wording;
  const all = orders(things.length);
  let order = value === undefined ? [] : [...all[value]];
  const status = el("p", { role: "status", class: "soft" });
  const buttons = things.map((_, thing) =>
    button("", () => {
      order = order.includes(thing) ? order.filter((other) => other !== thing) : [...order, thing];
      take();
    }),
  );
  const undo = button(
    texts.rank_undo,
    () => {
      const last = order.at(-1);
      order = order.slice(0, -1);
      take();
      buttons[last].focus();
    },
    "link-button",
  );
  const show = () => {
    buttons.forEach((pressed, thing) => {
      const place = order.indexOf(thing) + 1;
      pressed.className = place ? "button" : "button button--plain";
      pressed.setAttribute("aria-pressed", String(place > 0));
      pressed.replaceChildren(...[place > 0 && `${place}. `, said(things[thing])].filter(Boolean));
    });
    undo.hidden = !order.length;
    const left = things.length - order.length;
    status.textContent = left ? fill(texts.rank_left, { left }) : texts.rank_done;
  };
  const take = () => {
    show();
    const found = all.findIndex((one) => one.every((thing, place) => thing === order[place]));
    onAnswer(found < 0 ? undefined : found);
  };
  show();
  const first = () => buttons.find((_, thing) => !order.includes(thing)) ?? buttons[0];
  return {
    labels: [...buttons, el("div", { class: "row" }, status, undo)],
    all: [],
    clear: () => {
      order = [];
      take();
      buttons[0].focus();
    },
    focus: () => first().focus(),
    problem: () => texts.rank_missing,
  };
}
