/** The options of a question: typed on the phone, pasted as a list, and their probabilities. */

import { button, el, fill } from "../dom.js";
import { isOff } from "./edits.js";
import { focusTool, folded, group, iconButton, idOf, labelled, percentField, plainButton, remark } from "./fields.js";
import { kindOf } from "./kinds.js";
import { getAt } from "./paths.js";
import { inPlace, mark } from "./phone.js";
import { percentText, total, WHOLE } from "./probabilities.js";
import { addOption, mended, moveOption, pasteOptions, removeOption } from "./protection.js";
import { textIn } from "./wording.js";

/** The two probabilities of one item. @param {string} decoy the key of its label @param {string} expected likewise */
export function probabilityFields(app, path, place, decoy, expected) {
  const field = (name, label, limits) =>
    percentField(app, [...path, name, place], label, {
      ...limits,
      onShare: (share, tag) => {
        const shares = [...(getAt(app.document, [...path, name]) ?? [])];
        shares[place] = share;
        app.write([...path, name], shares, { tag });
        app.refresh();
      },
    });
  return [field("unrelated", decoy, { least: 1, most: WHOLE - 1 }), field("prevalence", expected)];
}

export const shareRemarks = (path) => ["unrelated", "prevalence"].map((name) => remark([...path, name]));

/** The options on the phone. Enter leads to the next one, and adds one below the last. */
export function optionsInPlace(app, path) {
  const { texts } = app;
  const here = [...path, "options"];
  const list = getAt(app.document, here) ?? [];
  const write = (place) => document.getElementById(idOf([...here, place, "text", app.tongue]))?.focus();
  const add = () => {
    const place = getAt(app.document, here)?.length ?? 0;
    app.edit(addOption(app.document, path), { redraw: true });
    write(place);
  };
  const onEnter = (place) => () => (place < list.length - 1 ? write(place + 1) : add());
  const rows = list.map((_, place) => optionRow(app, path, place, { count: list.length, onEnter: onEnter(place) }));
  const children = [
    el("ol", { class: "option-rows phone-choices" }, ...rows),
    remark(here),
    button(texts.option_add, add, "link-button phone-add"),
  ];
  return group(here, el("span", { class: "visually-hidden" }, texts.options), children, "stack");
}

function optionRow(app, path, place, { count, onEnter }) {
  const { texts } = app;
  const here = [...path, "options", place];
  const name = fill(texts.option_number, { number: place + 1 });
  const id = idOf(here);
  const shift = (by) => {
    app.edit(moveOption(app.document, path, place, place + by), { redraw: true });
    app.announce(fill(texts.moved, { name, place: place + by + 1, total: count }));
    const moved = idOf([...path, "options", place + by]);
    focusTool(...(by < 0 ? ["up", "down"] : ["down", "up"]).map((way) => `${moved}-${way}`));
  };
  const drop = () => {
    app.edit(removeOption(app.document, path, place), { redraw: true, undoable: fill(texts.option_removed, { name }) });
    document.getElementById(idOf([...path, "options"]))?.focus();
  };
  return el(
    "li",
    { class: "option-row" },
    mark(),
    inPlace(app, [...here, "text"], { said: name }, { onEnter }),
    el(
      "div",
      { class: "row row--tools" },
      iconButton("↑", fill(texts.move_up, { name }), () => shift(-1), { id: `${id}-up`, disabled: place === 0 }),
      iconButton("↓", fill(texts.move_down, { name }), () => shift(1), { id: `${id}-down`, disabled: place === count - 1 }),
      iconButton("×", fill(texts.remove, { name }), drop, { id: `${id}-drop` }),
    ),
  );
}

/** A pasted list, one option per line. */
export function pastedOptions(app, path) {
  const { texts } = app;
  const here = [...path, "options"];
  const id = `${idOf(here)}-paste`;
  const area = el("textarea", { id, rows: 5, maxlength: 100_000, autocomplete: "off", "aria-describedby": `${id}-hint` });
  const use = () => {
    const { document: next, added } = pasteOptions(app.document, path, area.value, app.languages);
    const said = fill(texts.options_pasted, { count: added });
    if (added) {
      app.edit(next, { redraw: true, undoable: said });
      document.getElementById(idOf(here))?.focus();
    } else {
      app.announce(said);
      area.focus();
    }
  };
  return folded(
    texts.options_paste,
    labelled(id, texts.options_paste_label, el("p", { class: "hint", id: `${id}-hint` }, texts.options_paste_hint), area),
    el("div", { class: "row" }, plainButton(texts.options_paste_use, use)),
  );
}

/** The probabilities of the options, for experts. */
export function optionShares(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const rows = (question.options ?? []).map((option, place) =>
    el(
      "li",
      { class: "option-shares" },
      el("span", {}, textIn(option.text, app.speaking) || fill(texts.option_number, { number: place + 1 })),
      el("div", { class: "option-probabilities" }, ...probabilityFields(app, path, place, "decoy_short", "expected_short")),
    ),
  );
  return el(
    "fieldset",
    { class: "field stack for-experts" },
    el("legend", { class: "label" }, texts.probabilities),
    el("p", { class: "hint" }, texts.options_probabilities_hint),
    el("ol", { class: "option-rows" }, ...rows),
    ...shareRemarks(path),
    kindOf(question).shares.sum && sums(app, path),
  );
}

/** The sums of shares that must be 100%, with a button to fix a wrong sum. */
function sums(app, path) {
  const { texts } = app;
  const line = (name, label) => {
    const words = el("span", { class: "sum-words" });
    const fit = () => app.edit(mended(app.document, path, name), { redraw: true });
    const remedy = button(texts.sum_fit, fit, "link-button");
    const part = el("div", { class: "sum", role: "status" }, words, remedy);
    const show = () => {
      const question = getAt(app.document, path);
      const off = isOff(question, name);
      const sum = percentText(total(question[name] ?? []));
      part.classList.toggle("sum--off", off);
      remedy.hidden = !off;
      words.textContent = fill(off ? texts.sum_off : texts.sum_right, { label, sum });
    };
    show();
    app.whenRefreshed(show);
    return part;
  };
  return el("div", { class: "sums" }, line("unrelated", texts.decoy_short), line("prevalence", texts.expected_short));
}
