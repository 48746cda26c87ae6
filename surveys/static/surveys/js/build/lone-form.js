/** The form of a number or a place: what it ranges over, how it is disguised, what may take part in rules. */

import { button, el, fill } from "../dom.js";
import { areaMap } from "./area-map.js";
import { setOptionKey, setQuestionKey } from "./edits.js";
import { iconButton, idOf, lineField, selectField, tickField, wordsField } from "./fields.js";
import { addItem, addRectangle, itemOf, MECHANISMS, removeItem, removeRectangle, setMechanism, setRectangle, UTILITY } from "./lone.js";
import { getAt, pathText } from "./paths.js";
import { textIn } from "./wording.js";

const EDGES = ["west", "south", "east", "north"];
const PATIENCE = 400;

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function loneForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  return [
    wordsField(app, { path: [...path, "text"], label: texts.question_text, lines: 2 }),
    wordsField(app, { path: [...path, "help"], label: texts.question_help, optional: true }),
    ...(question.kind === "number" ? numberPart(app, path) : placePart(app, path, question)),
    mechanismPart(app, path, question),
    predictions(app, path),
    question.kind === "number" ? bandsPart(app, path, question) : null,
    el(
      "details",
      {},
      el("summary", {}, texts.names_in_data),
      el("div", { class: "details-body stack" }, ...keyFields(app, path, question)),
    ),
  ].filter(Boolean);
}

function keyFields(app, path, question) {
  const { texts } = app;
  const here = pathText(path);
  const field = (place, label, value, write) =>
    lineField({ field: place, label, value: value ?? "", attributes: { maxlength: 64 }, onWrite: (text, tag) => app.edit(write(text), { tag }) });
  return [
    field(`${here}.key`, texts.key, question.key, (text) => setQuestionKey(app.document, path, text)),
    ...(question.options ?? []).map((option, place) =>
      field(
        `${here}.options[${place}].key`,
        fill(texts.option_key, { name: textIn(option.text, app.speaking) || place + 1 }),
        option.key,
        (text) => setOptionKey(app.document, path, place, text),
      ),
    ),
  ];
}

/** A number of the definition, as it is typed; what is no number is kept as a text, and the server says so. */
function numberField(app, path, label, { hint, onWrite } = {}) {
  const write = onWrite ?? ((value, tag) => app.edit(app.set(path, value), { tag }));
  return lineField({
    field: pathText(path),
    label,
    hint,
    value: getAt(app.document, path) === undefined ? "" : String(getAt(app.document, path)),
    attributes: { inputmode: "decimal", class: "figure-input" },
    onWrite: (text, tag) => {
      const typed = text.trim().replace(",", ".");
      write(typed === "" ? undefined : Number.isNaN(Number(typed)) ? typed : Number(typed), tag);
    },
  });
}

const four = (...fields) => el("div", { class: "four" }, ...fields);

function numberPart(app, path) {
  const { texts } = app;
  const here = [...path, "number"];
  return [
    four(
      numberField(app, [...here, "low"], texts.number_low),
      numberField(app, [...here, "high"], texts.number_high),
      numberField(app, [...here, "bin"], texts.number_bin, { hint: texts.number_bin_hint }),
      numberField(app, [...here, "decimals"], texts.number_decimals),
    ),
    wordsField(app, { path: [...here, "unit"], label: texts.number_unit, optional: true }),
  ];
}

function mechanismPart(app, path, question) {
  const { texts } = app;
  const here = [...path, question.kind];
  const names = MECHANISMS[question.kind];
  const { mechanism } = question[question.kind];
  const known = names.includes(mechanism) ? names : [...names, mechanism];
  return el(
    "div",
    { class: "stack" },
    selectField({
      field: pathText([...here, "mechanism"]),
      label: texts.mechanism,
      hint: texts[`mechanism_${mechanism}`],
      value: mechanism,
      options: known.map((name) => [name, texts[`mechanism_name_${name}`] ?? name]),
      onChoose: (name) => app.edit(setMechanism(app.document, path, name), { redraw: true }),
    }),
    question.kind === "number" && el("p", { class: "hint" }, texts.number_in_rules),
    mechanism !== "levels" && numberField(app, [...here, "epsilon"], texts.lone_epsilon, { hint: texts.lone_epsilon_hint }),
  );
}

/** What every mechanism would do to one answer, asked of the server a moment after the last change. */
function predictions(app, path) {
  const { texts } = app;
  const room = el("div", { class: "stack", role: "status" });
  const number = (value, digits) => new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: digits }).format(value);
  let timer = null;
  let last = "";
  const show = ({ status, body }, kind, chosen) => {
    if (status !== 200) {
      room.replaceChildren(el("p", { class: "hint" }, body?.message ? `${body.message}; ${body.remedy}.` : texts.away));
      return;
    }
    const rows = body.lines.map(({ name, error, mean, offered, everywhere }) =>
      el(
        "tr",
        { class: name === chosen ? "row--current" : null },
        el(
          "th",
          { scope: "row" },
          texts[`mechanism_name_${name}`] ?? name,
          " ",
          name === body.proposed && el("span", { class: "tag tag--good" }, texts.prediction_proposed),
          !offered && el("span", { class: "tag tag--quiet" }, texts.prediction_compared),
        ),
        el("td", { class: "num" }, kind === "place" ? `${number(error, 3)} m` : number(error, 3)),
        el("td", { class: "num" }, kind === "place" ? (everywhere ? texts.prediction_everywhere : texts.prediction_areas) : number(mean, 3)),
      ),
    );
    room.replaceChildren(
      el(
        "table",
        { class: "costs" },
        el("caption", {}, kind === "place" ? texts.prediction_place : fill(texts.prediction_number, { n: body.answers })),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, texts.mechanism),
            el("th", { scope: "col", class: "num" }, texts.prediction_error),
            el("th", { scope: "col", class: "num" }, kind === "place" ? texts.prediction_protects : texts.prediction_mean),
          ),
        ),
        el("tbody", {}, ...rows),
      ),
      ...(body.cells
        ? [el("p", { class: "hint" }, fill(texts.prediction_cells, { columns: body.cells[0], rows: body.cells[1], across: body.cell[0], up: body.cell[1] }))]
        : []),
      ...(body.worse > 0 ? [el("p", { class: "hint" }, fill(texts.prediction_worse, { share: Math.max(1, Math.round(100 * body.worse)) }))] : []),
    );
  };
  const ask = () => {
    const question = getAt(app.document, path);
    if (!question?.[question.kind]) {
      return;
    }
    const { kind, [kind]: stated } = question;
    const asked = JSON.stringify(stated);
    if (asked === last) {
      return;
    }
    last = asked;
    window.clearTimeout(timer);
    timer = window.setTimeout(async () => {
      const answer = await app.post(app.urls.accuracy, { kind, stated }).catch(() => ({}));
      if (room.isConnected && asked === last) {
        show(answer, kind, stated.mechanism);
      }
    }, PATIENCE);
  };
  ask();
  app.whenRefreshed(ask);
  return room;
}

function bandsPart(app, path, question) {
  const { texts } = app;
  if (question.number.mechanism !== "keep") {
    return null;
  }
  const here = [...path, "options"];
  const rows = (question.options ?? []).map((_, place) =>
    el(
      "li",
      { class: "option-row option-row--band" },
      wordsField(app, { path: [...here, place, "text"], label: fill(texts.band_number, { number: place + 1 }) }),
      four(
        numberField(app, [...here, place, "from"], texts.band_from),
        numberField(app, [...here, place, "to"], texts.band_to),
      ),
      iconButton("×", fill(texts.remove, { name: fill(texts.band_number, { number: place + 1 }) }), () =>
        app.edit(removeItem(app.document, path, place), { redraw: true }),
      ),
    ),
  );
  const add = () => app.edit(addItem(app.document, path, { from: question.number.low, to: question.number.high }), { redraw: true });
  return itemsFrame(path, texts.bands, texts.bands_hint, rows, button(texts.band_add, add, "button button--plain"));
}

function itemsFrame(path, legend, hint, rows, more) {
  const field = `${pathText(path)}.options`;
  return el(
    "fieldset",
    { class: "field stack", id: idOf(field), "data-field": field, tabindex: "-1" },
    el("legend", { class: "label" }, legend),
    el("p", { class: "hint" }, hint),
    el("p", { class: "remark", hidden: true, "data-remark": field }),
    el("ol", { class: "option-rows" }, ...rows),
    el("div", { class: "row" }, more),
  );
}

function placePart(app, path, question) {
  const { texts } = app;
  const here = [...path, "place"];
  const { area = {}, sensitive } = question.place;
  const isWhole = EDGES.every((edge) => typeof area[edge] === "number") && area.west < area.east && area.south < area.north;
  const isUtility = UTILITY.has(question.place.mechanism);
  const refused = el("p", { class: "error", role: "alert" });
  const outline = el("textarea", { id: idOf(pathText([...here, "outline"])), "data-field": pathText([...here, "outline"]), rows: 3, spellcheck: "false", class: "mono" });
  outline.value = question.place.outline ? JSON.stringify(question.place.outline) : "";
  outline.addEventListener("change", () => {
    let found = undefined;
    try {
      found = outline.value.trim() ? JSON.parse(outline.value) : undefined;
    } catch {
      refused.textContent = texts.outline_wrong;
      return;
    }
    app.edit(app.set([...here, "outline"], found), { redraw: true });
  });
  return [
    el(
      "fieldset",
      { class: "field", id: idOf(pathText([...here, "area"])), "data-field": pathText([...here, "area"]), tabindex: "-1" },
      el("legend", { class: "label" }, texts.area),
      four(...EDGES.map((edge) => numberField(app, [...here, "area", edge], texts[`edge_${edge}`], {
        onWrite: (value, tag) => app.edit(app.set([...here, "area", edge], value), { tag }),
      }))),
      el("p", { class: "remark", hidden: true, "data-remark": pathText([...here, "area"]) }),
      el("div", { class: "row" }, button(texts.area_draw, () => app.draw({}), "link-button")),
    ),
    four(numberField(app, [...here, "cell"], texts.cell, { hint: texts.cell_hint })),
    el(
      "details",
      {},
      el("summary", {}, texts.outline_of_map),
      el(
        "div",
        { class: "details-body field" },
        el("label", { for: outline.id }, texts.outline_geojson),
        outline,
        refused,
        el("p", { class: "remark", hidden: true, "data-remark": pathText([...here, "outline"]) }),
      ),
    ),
    isUtility &&
      itemsOfMap(app, path, question, {
        map: isWhole
          ? areaMap({ area, outline: question.place.outline, sensitive: sensitive ?? [], label: texts.map_draw }, (rectangle) =>
              app.edit(addRectangle(app.document, path, rectangle), { redraw: true }),
            )
          : el("p", { class: "hint" }, texts.map_needs_area),
      }),
  ].filter(Boolean);
}

function itemsOfMap(app, path, question, { map }) {
  const { texts } = app;
  const { area = {}, sensitive = [] } = question.place;
  const here = [...path, "place", "sensitive"];
  const rows = sensitive.map((rectangle, place) => {
    const name = fill(texts.rectangle_number, { number: place + 1 });
    const item = itemOf(question, place);
    const toggle = (on) =>
      app.edit(on ? addItem(app.document, path, { rectangles: [getAt(app.document, [...here, place])] }) : removeItem(app.document, path, item), { redraw: true });
    return el(
      "li",
      { class: "option-row option-row--band" },
      el(
        "fieldset",
        { class: "field" },
        el("legend", { class: "label" }, name),
        four(
          ...EDGES.map((edge) =>
            numberField(app, [...here, place, edge], texts[`edge_${edge}`], {
              onWrite: (value, tag) =>
                app.edit(setRectangle(app.document, path, place, { ...getAt(app.document, [...here, place]), [edge]: value }), { tag }),
            }),
          ),
        ),
        tickField({ field: `${pathText([...here, place])}.item`, label: texts.rectangle_item, checked: item !== -1, onTick: toggle }),
        item !== -1 && wordsField(app, { path: [...path, "options", item, "text"], label: texts.rectangle_name }),
      ),
      iconButton("×", fill(texts.remove, { name }), () => app.edit(removeRectangle(app.document, path, place), { redraw: true })),
    );
  });
  const middle = (low, high, share) => Number((low + (high - low) * share).toFixed(5));
  const add = () =>
    app.edit(
      addRectangle(app.document, path, {
        west: middle(area.west, area.east, 0.4),
        south: middle(area.south, area.north, 0.4),
        east: middle(area.west, area.east, 0.6),
        north: middle(area.south, area.north, 0.6),
      }),
      { redraw: true },
    );
  const field = pathText(here);
  return el(
    "fieldset",
    { class: "field stack", id: idOf(field), "data-field": field, tabindex: "-1" },
    el("legend", { class: "label" }, texts.sensitive),
    el("p", { class: "hint" }, texts.sensitive_hint),
    el("p", { class: "hint" }, texts.place_told),
    map,
    el("p", { class: "remark", hidden: true, "data-remark": field }),
    el("p", { class: "remark", hidden: true, "data-remark": `${pathText(path)}.options` }),
    el("ol", { class: "option-rows" }, ...rows),
    el("div", { class: "row" }, button(texts.rectangle_add, add, "button button--plain")),
  );
}
