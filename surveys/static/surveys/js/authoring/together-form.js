/** How a composite question belongs together with others of its part, and which of them share a filter. */

import { el, fill } from "../dom.js";
import { isComposite, RELATED } from "./composites.js";
import { group, hint, plainButton, selectField, tickField } from "./fields.js";
import { isLegible } from "./one-answer.js";
import { getAt } from "./paths.js";
import { addPlacebo, canHavePlacebo, setShared, sharers } from "./together.js";
import { textIn } from "./wording.js";

const nameOf = (app, question, place) => textIn(question.text, app.speaking) || fill(app.texts.question_unnamed, { number: place + 1 });

/** The other composite questions of the part, with their places. */
const others = (app, path) =>
  app.document.blocks[path[1]].questions.flatMap((question, place) => (isComposite(question) && isLegible(question.computed) && place !== path[3] ? [[question, place]] : []));

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path of the question @returns {HTMLElement | null} */
export function togetherPart(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const known = others(app, path).map(([other, place]) => [other.key, nameOf(app, other, place)]);
  const canAdd = canHavePlacebo(app.document.blocks[path[1]], question);
  const isRelated = RELATED.some((name) => question.computed[name]);
  if (!canAdd && !known.length && !isRelated) {
    return null;
  }
  const add = () => {
    // Read anew, because typing does not draw the form again.
    const { text } = getAt(app.document, path);
    const names = Object.fromEntries(app.languages.map((tag) => [tag, `${text?.[tag] ?? ""} · ${app.ready.placeboNames[tag] ?? "placebo"}`]));
    app.open(addPlacebo(app.document, path, app.ready.placebo, app.languages, names));
    app.announce(texts.placebo_added);
  };
  const select = (name) => {
    const here = [...path, "computed", name];
    const value = question.computed[name] ?? "";
    const lost = value && !known.some(([key]) => key === value) ? [[value, fill(texts.condition_lost, { key: value })]] : [];
    return (known.length > 0 || value) && selectField(app, here, name, [["", texts.related_none], ...lost, ...known], { value });
  };
  return group([...path, "computed", "together"], texts.together, [
    canAdd && hint(texts.placebo_hint),
    canAdd && el("div", { class: "row" }, plainButton(texts.placebo_add, add)),
    ...RELATED.map(select),
  ].filter(Boolean), "field stack");
}

/** For a component: which other answers of the part depend on it. @param {import("./paths.js").Path} path of the component */
export function sharedPart(app, path) {
  const { texts } = app;
  const component = getAt(app.document, path);
  const found = others(app, path);
  if (!found.length || component.instructed || !["yes_no", "single"].includes(component.kind)) {
    return null;
  }
  const sharing = sharers(app.document.blocks[path[1]], component.key);
  const ticks = found.map(([question, place]) =>
    tickField(app, [...path, "shared", question.key], { said: nameOf(app, question, place) }, sharing.includes(place), (isShared) =>
      app.edit(setShared(app.document, path, place, isShared), { redraw: true }),
    ),
  );
  return group([...path, "shared"], texts.shared, [hint(texts.shared_hint), ...ticks], "field stack");
}
