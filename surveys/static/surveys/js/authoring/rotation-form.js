/** The forms of what rotates: how many questions of a part each person is asked, and which parts take turns. */

import { button, el, fill } from "../dom.js";
import { asDrawn } from "./drawn-part.js";
import { idOf, numberInSentence, radioField, tickField } from "./fields.js";
import { pathText } from "./paths.js";
import { addRotation, chooseInTurn, partsInTurn, removeRotation, withBooklets, withPerPerson } from "./rotating.js";

/** How many questions of a part each person is asked, and of which sets one is drawn. */
export function perPersonPart(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  if (block.questions.length < 2 && block.questions_per_person === undefined) {
    return null;
  }
  const room = el("div", {});
  const show = () => room.replaceChildren(...[setsPart(app, place)].filter(Boolean));
  show();
  // Which balanced lists there are is known once the server has read the draft.
  app.whenRefreshed(show);
  return el(
    "div",
    { class: "field stack" },
    numberInSentence({
      field: `${pathText(["blocks", place])}.questions_per_person`,
      sentence: fill(texts.per_person, { count: block.questions.length }),
      hint: texts.per_person_hint,
      value: block.questions_per_person,
      onNumber: (count, tag) => app.edit(withPerPerson(app.document, place, count), { tag }),
    }),
    room,
  );
}

/** The sets of questions of which a device draws one: all, or a list in which any two come together equally often. */
function setsPart(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const field = `${pathText(["blocks", place])}.booklets`;
  const known = app.budget.blocks.find(({ path }) => path === `blocks[${place}]`)?.sets;
  const isKnown =
    asDrawn(block).questions_per_person !== undefined &&
    known?.questions === block.questions.length &&
    known.per_person === block.questions_per_person;
  const stated = block.booklets;
  if (stated === undefined && !(isKnown && known.lists.length)) {
    return null;
  }
  const figure = (count) => count.toLocaleString(document.documentElement.lang);
  const lists = isKnown ? known.lists : [];
  const own = stated && lists.find(({ booklets }) => JSON.stringify(booklets) === JSON.stringify(stated));
  const choices = [
    { value: "all", text: isKnown ? fill(texts.sets_all, { count: figure(known.all) }) : texts.sets_any },
    ...lists.map(({ together, booklets }) => ({
      value: together,
      text: fill(texts[`sets_together_${together}`], { count: figure(booklets.length) }),
    })),
    ...(stated && !own ? [{ value: "own", text: fill(texts.sets_own, { count: stated.length }) }] : []),
  ];
  return el(
    "div",
    {},
    radioField({
      field,
      legend: texts.sets,
      value: stated ? (own?.together ?? "own") : "all",
      choices,
      onChoose: (value) => {
        const chosen = lists.find(({ together }) => together === value);
        if (value !== "own") {
          app.edit(withBooklets(app.document, place, chosen?.booklets), { redraw: true });
        }
      },
    }),
    el("p", { class: "hint" }, texts.sets_hint),
  );
}

/** Which parts take turns. */
export function turnsPart(app) {
  const { texts, document: survey } = app;
  const rotations = Array.isArray(survey.rotations) ? survey.rotations : [];
  const keys = partsInTurn(survey);
  if (keys.length < 2 && rotations.length === 0) {
    return null;
  }
  const forms = rotations.map((rotation, number) => {
    const field = `rotations[${number}]`;
    const blocks = Array.isArray(rotation?.blocks) ? rotation.blocks : [];
    return el(
      "fieldset",
      { class: "field", id: idOf(`${field}.blocks`), "data-field": `${field}.blocks`, tabindex: "-1" },
      el("legend", { class: "label" }, texts.turns_parts),
      ...survey.blocks.flatMap(({ key }, place) =>
        keys.includes(key)
          ? [
              tickField({
                field: `${field}.blocks.${key}`,
                label: app.nameOf(`blocks[${place}]`),
                checked: blocks.includes(key),
                onTick: (isChosen) => app.edit(chooseInTurn(app.document, number, key, isChosen), { redraw: true }),
              }),
            ]
          : [],
      ),
      numberInSentence({
        field: `${field}.parts_per_person`,
        sentence: fill(texts.turns_count, { count: blocks.length }),
        value: rotation?.parts_per_person,
        onNumber: (count, tag) => app.edit(app.set(["rotations", number, "parts_per_person"], count), { tag }),
      }),
      el("p", { class: "remark", hidden: true, "data-remark": `${field}.blocks` }),
      button(texts.turns_remove, () => app.edit(removeRotation(app.document, number), { redraw: true }), "link-button"),
    );
  });
  const isFree = addRotation(survey) !== survey;
  return el(
    "details",
    { "data-open": rotations.length > 0, open: rotations.length > 0 },
    el("summary", {}, texts.turns),
    el(
      "div",
      { class: "details-body stack" },
      el("p", { class: "hint" }, texts.turns_hint),
      ...forms,
      isFree && button(texts.turns_add, () => app.edit(addRotation(app.document), { redraw: true }), "button button--plain"),
    ),
  );
}
