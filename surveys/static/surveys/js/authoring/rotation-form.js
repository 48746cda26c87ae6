/** The forms of rotation: how many questions of a part each person is asked, and which parts rotate. */

import { button, el, fill } from "../dom.js";
import { asDrawn } from "./drawn-part.js";
import { folded, group, hint, numberInSentence, plainButton, radioField, remark, tickField } from "./fields.js";
import { addRotation, chooseInTurn, partsInTurn, removeRotation, withBooklets, withPerPerson } from "./rotating.js";

/** How many questions of a part each person is asked, and the list of sets to draw from. */
export function perPersonPart(app, place) {
  const { texts } = app;
  const { questions, questions_per_person: most } = app.document.blocks[place];
  if (questions.length < 2 && most === undefined) {
    return null;
  }
  const pane = el("div", {});
  const show = () => pane.replaceChildren(...setsPart(app, place));
  show();
  // The balanced lists arrive when the server has read the draft.
  app.whenRefreshed(show);
  const sentence = fill(texts.per_person, { count: questions.length });
  const write = (count, tag) => app.edit(withPerPerson(app.document, place, count), { tag });
  const field = numberInSentence(app, ["blocks", place, "questions_per_person"], sentence, texts.per_person_hint, write);
  return el("div", { class: "field stack" }, field, pane);
}

/** The sets of questions from which a device draws one: all of that size, or a list in which all pairs are equally frequent. */
function setsPart(app, place) {
  const { texts } = app;
  const block = app.document.blocks[place];
  const known = app.budget.blocks.find(({ path }) => path === `blocks[${place}]`)?.sets;
  const isKnown =
    asDrawn(block).questions_per_person !== undefined &&
    known?.questions === block.questions.length &&
    known.per_person === block.questions_per_person;
  const stated = block.booklets;
  if (stated === undefined && !(isKnown && known.lists.length)) {
    return [];
  }
  const lists = isKnown ? known.lists : [];
  const own = stated && lists.find(({ booklets }) => JSON.stringify(booklets) === JSON.stringify(stated));
  const choices = [
    ["all", isKnown ? { said: fill(texts.sets_all, { count: known.all }) } : "sets_any"],
    ...lists.map(({ together, booklets }) => [
      together,
      { said: fill(texts[`sets_together_${together}`], { count: booklets.length }) },
    ]),
    ...(stated && !own ? [["own", { said: fill(texts.sets_own, { count: stated.length }) }]] : []),
  ];
  const choose = (value) => {
    const chosen = lists.find(({ together }) => together === value);
    if (value !== "own") {
      app.edit(withBooklets(app.document, place, chosen?.booklets), { redraw: true });
    }
  };
  const value = stated ? (own?.together ?? "own") : "all";
  return [radioField(app, ["blocks", place, "booklets"], "sets", choices, { value, onChoose: choose }), hint(texts.sets_hint)];
}

/** The parts that rotate. */
export function turnsPart(app) {
  const { texts, document: survey } = app;
  const rotations = Array.isArray(survey.rotations) ? survey.rotations : [];
  const keys = partsInTurn(survey);
  if (keys.length < 2 && rotations.length === 0) {
    return null;
  }
  const forms = rotations.map((rotation, number) => {
    const here = ["rotations", number];
    const blocks = Array.isArray(rotation?.blocks) ? rotation.blocks : [];
    const tick = (key, place) =>
      tickField(app, [...here, "blocks", key], { said: app.nameOf(`blocks[${place}]`) }, blocks.includes(key), (isChosen) =>
        app.edit(chooseInTurn(app.document, number, key, isChosen), { redraw: true }),
      );
    const sentence = fill(texts.turns_count, { count: blocks.length });
    const most = [...here, "parts_per_person"];
    return group([...here, "blocks"], texts.turns_parts, [
      ...survey.blocks.map(({ key }, place) => keys.includes(key) && tick(key, place)),
      numberInSentence(app, most, sentence, null, (count, tag) => app.write(most, count, { tag })),
      remark([...here, "blocks"]),
      button(texts.turns_remove, () => app.edit(removeRotation(app.document, number), { redraw: true }), "link-button"),
    ]);
  });
  const add = () => app.edit(addRotation(app.document), { redraw: true });
  const isFree = addRotation(survey) !== survey;
  const form = folded(texts.turns, hint(texts.turns_hint), ...forms, isFree && plainButton(texts.turns_add, add));
  form.toggleAttribute("data-open", rotations.length > 0);
  return form;
}
