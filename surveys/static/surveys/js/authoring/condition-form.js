/** Who is asked a part: everyone, or people whose answers to earlier unprotected questions meet its conditions. */

import { button, el, fill } from "../dom.js";
import { conditionOf, conditionsFor, termsOf } from "./edits.js";
import { hint, idOf, radioField, selectField } from "./fields.js";
import { kindOf } from "./kinds.js";
import { pathText } from "./paths.js";
import { textIn } from "./wording.js";

/** @param {import("./app.js").App} app @param {number} place of the part */
export function conditionPart(app, place) {
  const { texts } = app;
  const path = ["blocks", place, "asked_if"];
  const field = pathText(path);
  // Read at each call, because the value may have changed since the form was drawn.
  const now = () => app.document.blocks[place].asked_if;
  const joint = () => (now()?.any ? "any" : "all");
  const put = (terms, joined = joint(), more = { redraw: true }) =>
    app.edit(app.set(path, conditionOf(terms, joined)), more);
  const possible = conditionsFor(app.document, place);
  const terms = termsOf(now());
  if (possible.length === 0 && terms.length === 0) {
    return hint(texts.condition_none);
  }
  const named = new Set(terms.map(({ question }) => question));
  const left = possible.filter(({ key }) => !named.has(key));
  const fieldOf = (number) => (terms.length > 1 ? `${field}.${joint()}[${number}]` : field);
  const parts = (terms.length ? terms : [null]).map((term, number) =>
    termPart(app, {
      term,
      number,
      field: fieldOf(number),
      possible: possible.filter((question) => question.key === term?.question || left.includes(question)),
      onTerm: (next, more) => put(termsOf(now()).toSpliced(number, 1, ...next), joint(), more),
      ticked: () => termsOf(now())[number].options,
    }),
  );
  const add = () => {
    const number = terms.length;
    put([...terms, firstTerm(app, left[0])]);
    document.getElementById(idOf(`${field}.${joint()}[${number}]`))?.focus();
  };
  return el(
    "div",
    { class: "field" },
    ...parts,
    terms.length > 1 &&
      radioField(app, path, "condition_joined", [["all", "condition_all"], ["any", "condition_any"]], {
        value: joint(),
        inline: true,
        onChoose: (joined) => put(termsOf(now()), joined),
      }),
    terms.length > 0 && left.length > 0 && button(texts.condition_add, add, "link-button"),
  );
}

const optionsOf = (app, question) =>
  kindOf(question).hasOptions
    ? question.options.map((option) => [option.key, textIn(option.text, app.speaking) || option.key])
    : [["yes", app.texts.yes], ["no", app.texts.no]];

const firstTerm = (app, question) => ({ question: question.key, options: [optionsOf(app, question)[0][0]] });

/** One question, and the answers that lead to the part. */
function termPart(app, { term, number, field, possible, onTerm, ticked }) {
  const { texts } = app;
  const chosen = possible.find(({ key }) => key === term?.question);
  const known = possible.map((question) => [question.key, textIn(question.text, app.speaking) || question.key]);
  const lost = term && !chosen ? [[term.question, fill(texts.condition_lost, { key: term.question })]] : [];
  const options = [["", number ? texts.condition_drop : texts.condition_always], ...lost, ...known];
  const choose = (key) => {
    const question = possible.find((one) => one.key === key);
    onTerm(question ? [firstTerm(app, question)] : [], { redraw: true });
  };
  const tick = (key, on) => {
    const before = ticked();
    const order = optionsOf(app, chosen).map(([option]) => option);
    onTerm([{ ...term, options: order.filter((one) => (one === key ? on : before.includes(one))) }], {});
  };
  return el(
    "div",
    { class: "field" },
    selectField(app, field, number ? { said: fill(texts.condition_further, { number: number + 1 }) } : "condition", options, {
      value: term?.question ?? "",
      onChoose: choose,
    }),
    chosen &&
      el(
        "fieldset",
        { class: "field boxes" },
        el("legend", { class: "label" }, texts.condition_options),
        ...optionsOf(app, chosen).map(([key, text], order) => {
          const change = (event) => tick(key, event.target.checked);
          const box = el("input", { type: "checkbox", id: `${idOf(field)}-${order}`, autocomplete: "off", change });
          box.checked = term.options.includes(key);
          return el("label", {}, box, el("span", {}, text));
        }),
      ),
  );
}
