/** Who is asked a part or a component: everyone, or people whose earlier answers meet its conditions. */

import { button, el, fill } from "../dom.js";
import { conditionOf, conditionsFor, termsOf } from "./edits.js";
import { hint, idOf, radioField, selectField } from "./fields.js";
import { kindOf } from "./kinds.js";
import { getAt, pathText } from "./paths.js";
import { textIn } from "./wording.js";

/** Who is asked a part. @param {import("./app.js").App} app @param {number} place of the part */
export function conditionPart(app, place) {
  const possible = conditionsFor(app.document, place).map((question) => ({
    member: "question",
    key: question.key,
    text: textIn(question.text, app.speaking) || question.key,
    options: optionsOf(app, question),
  }));
  return conditionFields(app, ["blocks", place, "asked_if"], possible) ?? hint(app.texts.condition_none);
}

/**
 * A condition with up to as many terms as there are sources.
 * @param {import("./app.js").App} app
 * @param {import("./paths.js").Path} path of the condition
 * @param {{member: "question" | "component", key: string, text: string, options: [string, string][]}[]} possible sources
 * @param {string} [label] key of the label of the first source
 * @returns {HTMLElement | null} null if there are neither sources nor terms
 */
export function conditionFields(app, path, possible, label = "condition") {
  const { texts } = app;
  const field = pathText(path);
  // Read at each call, because the value may have changed since the form was drawn.
  const now = () => getAt(app.document, path);
  const joint = () => (now()?.any ? "any" : "all");
  const put = (terms, joined = joint(), more = { redraw: true }) =>
    app.edit(app.set(path, conditionOf(terms, joined)), more);
  const terms = termsOf(now());
  if (possible.length === 0 && terms.length === 0) {
    return null;
  }
  const named = new Set(terms.map(sourceOf));
  const left = possible.filter(({ key }) => !named.has(key));
  const fieldOf = (number) => (terms.length > 1 ? `${field}.${joint()}[${number}]` : field);
  const parts = (terms.length ? terms : [null]).map((term, number) =>
    termPart(app, {
      term,
      number,
      field: fieldOf(number),
      possible: possible.filter((source) => (term && source.key === sourceOf(term)) || left.includes(source)),
      onTerm: (next, more) => put(termsOf(now()).toSpliced(number, 1, ...next), joint(), more),
      ticked: () => termsOf(now())[number].options,
      label: number ? { said: fill(texts.condition_further, { number: number + 1 }) } : label,
    }),
  );
  const add = () => {
    const number = terms.length;
    put([...terms, firstTerm(left[0])]);
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

/** The key on which a term depends. */
const sourceOf = ({ question, component }) => component ?? question;

const optionsOf = (app, question) =>
  kindOf(question).hasOptions
    ? question.options.map((option) => [option.key, textIn(option.text, app.speaking) || option.key])
    : [["yes", app.texts.yes], ["no", app.texts.no]];

const firstTerm = ({ member, key, options }) => ({ [member]: key, options: [options[0][0]] });

/** One source, and the answers that lead to the part or the component. */
function termPart(app, { term, number, field, possible, onTerm, ticked, label }) {
  const { texts } = app;
  const chosen = term && possible.find(({ key }) => key === sourceOf(term));
  const known = possible.map(({ key, text }) => [key, text]);
  const lost = term && !chosen ? [[sourceOf(term), fill(texts.condition_lost, { key: sourceOf(term) })]] : [];
  const options = [["", number ? texts.condition_drop : texts.condition_always], ...lost, ...known];
  const choose = (key) => {
    const source = possible.find((one) => one.key === key);
    onTerm(source ? [firstTerm(source)] : [], { redraw: true });
  };
  const tick = (key, on) => {
    const before = ticked();
    const order = chosen.options.map(([option]) => option);
    onTerm([{ ...term, options: order.filter((one) => (one === key ? on : before.includes(one))) }], {});
  };
  return el(
    "div",
    { class: "field" },
    selectField(app, field, label, options, {
      value: term ? sourceOf(term) : "",
      onChoose: choose,
    }),
    chosen &&
      el(
        "fieldset",
        { class: "field boxes" },
        el("legend", { class: "label" }, texts.condition_options),
        ...chosen.options.map(([key, text], order) => {
          const change = (event) => tick(key, event.target.checked);
          const box = el("input", { type: "checkbox", id: `${idOf(field)}-${order}`, autocomplete: "off", change });
          box.checked = term.options.includes(key);
          return el("label", {}, box, el("span", {}, text));
        }),
      ),
  );
}
