/** The form of a list: its stem and a line on the phone, its look, and tools to add lines. */

import { button, el, fill } from "../dom.js";
import { nameByText, settled } from "./edits.js";
import { folded, group, hint, idOf, labelled, nameQuestion, plainButton, radioField } from "./fields.js";
import { addLine, linesOf, pasteLines, stemPlace } from "./lists.js";
import { getAt, pathText } from "./paths.js";
import { inPlace } from "./phone.js";

/** A list on the phone: its stem, and the selected line with its answers. @param {Node} answers */
export function onList(app, path, answers) {
  const stem = ["stems", stemPlace(app.document, getAt(app.document, path))];
  return group(
    stem,
    el("span", { class: "visually-hidden" }, app.texts.stem),
    [
      inPlace(app, [...stem, "text"], "stem_text", { look: "title" }),
      inPlace(app, [...stem, "help"], "question_help", { look: "help", optional: true }),
      el(
        "div",
        { class: "phone-line stack" },
        inPlace(app, [...path, "text"], "line_text", { look: "line", onDone: () => nameQuestion(app, path), onEnter: () => goOn(app, path) }),
        inPlace(app, [...path, "help"], "line_help", { look: "help", optional: true }),
        answers,
      ),
      button(app.texts.line_add, () => addBelow(app, path), "link-button phone-add"),
    ],
    "stack",
  );
}

/** How a line's list looks, which all of its lines share. */
export function stemLook(app, path) {
  const here = ["stems", stemPlace(app.document, getAt(app.document, path))];
  const stem = getAt(app.document, here);
  return el(
    "div",
    { class: "stack" },
    radioField(app, [...here, "look"], "look", [["", "look_lines"], ["boxes", "look_boxes"]], {
      inline: true,
      value: stem.look === "boxes" ? "boxes" : "",
    }),
    stem.wordings && hint(fill(app.texts.kept_wordings, { key: stem.wordings.question })),
  );
}

/** Add a line below this one, and type it. */
function addBelow(app, path) {
  const { document, at } = addLine(app.document, path);
  app.open({ document: settled(document, path[1], app.document), at }, { focus: "first" });
  write(app, at);
}

/** Focus a line's text, not the first text of the phone, which is the stem's. */
const write = (app, path) => document.getElementById(idOf([...path, "text", app.tongue]))?.focus();

/** Enter leads to the list's next line, and adds one below the last. */
function goOn(app, path) {
  const places = linesOf(app.document.blocks[path[1]], getAt(app.document, path).stem);
  const next = places[places.indexOf(path[3]) + 1];
  if (next === undefined) {
    addBelow(app, path);
  } else {
    app.select(pathText([...path.slice(0, 3), next]));
    write(app, [...path.slice(0, 3), next]);
  }
}

/** Name lines whose keys were made up by their texts. */
const named = (document, path, language) =>
  linesOf(document.blocks[path[1]], getAt(document, path).stem).reduce(
    (next, place) => nameByText(next, [...path.slice(0, 3), place], language),
    document,
  );

export function pastedLines(app, path) {
  const { texts } = app;
  const id = `${idOf(path)}-lines`;
  const area = el("textarea", { id, rows: 5, maxlength: 100_000, autocomplete: "off", "aria-describedby": `${id}-hint` });
  const use = () => {
    const { document: pasted, added } = pasteLines(app.document, path, area.value, app.languages);
    const document = app.isPublished ? pasted : named(pasted, path, app.languages[0]);
    const said = fill(texts.lines_pasted, { count: added });
    if (added) {
      app.edit(settled(document, path[1], app.document), { redraw: true, undoable: said });
    } else {
      app.announce(said);
      area.focus();
    }
  };
  return folded(
    texts.lines_paste,
    labelled(id, texts.lines_paste_label, el("p", { class: "hint", id: `${id}-hint` }, texts.options_paste_hint), area),
    el("div", { class: "row" }, plainButton(texts.lines_paste_use, use)),
  );
}
