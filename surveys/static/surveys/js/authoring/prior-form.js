/** Public knowledge of where people are: a table that is checked by the server before it is taken. */

import { button, el, fill } from "../dom.js";
import { idOf, lineField } from "./fields.js";
import { getAt, pathText } from "./paths.js";
import { sentence } from "./problems.js";

const COLUMNS = { 3: "longitude,latitude,weight", 5: "west,south,east,north,weight" };

/** Rows as a table, to be looked at and changed; points and rectangles together as GeoJSON. */
function asText(rows) {
  const [{ length }] = rows;
  if (rows.every((row) => row.length === length)) {
    return [COLUMNS[length], ...rows.map((row) => row.join(","))].join("\n");
  }
  const geometry = ([west, south, east, north, weight]) =>
    weight === undefined
      ? { type: "Point", coordinates: [west, south] }
      : { type: "Polygon", coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] };
  const features = rows.map((row) => ({ type: "Feature", geometry: geometry(row), properties: { weight: row.at(-1) } }));
  return JSON.stringify({ type: "FeatureCollection", features });
}

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function priorPart(app, path, question) {
  const { texts } = app;
  const here = [...path, "place", "prior"];
  const field = pathText(here);
  const { prior } = question.place;
  const rows = Array.isArray(prior?.rows) ? prior.rows : [];
  const refused = el("div", { class: "stack", role: "alert" });
  const table = el("textarea", {
    id: `${idOf(field)}-table`,
    rows: 6,
    spellcheck: "false",
    autocomplete: "off",
    class: "mono",
    "aria-describedby": `${idOf(field)}-shape`,
  });
  table.value = rows.length ? asText(rows) : "";
  const file = el("input", {
    type: "file",
    id: `${idOf(field)}-file`,
    accept: ".csv,.tsv,.txt,.json,.geojson",
    change: async () => {
      if (file.files.length) {
        table.value = await file.files[0].text();
        await take();
      }
    },
  });
  const say = (...lines) => refused.replaceChildren(...lines.map((line) => el("p", { class: "error" }, line)));
  const take = async () => {
    say();
    const { status, body } = await app.post(app.urls.prior, { text: table.value, stated: getAt(app.document, [...path, "place"]) }).catch(() => ({}));
    if (status !== 200) {
      const problems = body?.problems?.map((problem) => sentence({ ...problem, message: `${problem.path}: ${problem.message}` }));
      say(...(problems ?? [body?.message ? sentence(body) : texts.away]));
      return;
    }
    const source = getAt(app.document, [...here, "source"]) ?? "";
    app.edit(app.set(here, { source, rows: body.rows }), { redraw: true });
    app.announce(fill(texts.prior_taken, { count: body.rows.length }));
    document.getElementById(idOf(`${field}.source`))?.focus();
  };
  return el(
    "details",
    { "data-open": prior ? "" : null, open: Boolean(prior), id: idOf(field), "data-field": field },
    el("summary", {}, prior ? fill(texts.prior_taken, { count: rows.length }) : texts.prior),
    el(
      "div",
      { class: "details-body stack" },
      el("p", { class: "hint" }, texts.prior_about),
      el("p", { class: "note note--warn" }, texts.prior_public),
      prior &&
        lineField({
          field: `${field}.source`,
          label: texts.prior_source,
          hint: texts.prior_source_hint,
          value: prior.source ?? "",
          attributes: { maxlength: 500 },
          onWrite: (text, tag) => app.edit(app.set([...here, "source"], text), { tag }),
        }),
      el("p", { class: "remark", hidden: true, "data-remark": field }),
      el(
        "div",
        { class: "field" },
        el("label", { for: table.id }, texts.prior_table),
        el("p", { class: "hint", id: `${idOf(field)}-shape` }, texts.prior_shape),
        table,
      ),
      el("div", { class: "field" }, el("label", { for: file.id }, texts.prior_file), file),
      refused,
      el(
        "div",
        { class: "row" },
        button(texts.prior_take, take, "button button--plain"),
        prior && button(texts.prior_drop, () => app.edit(app.set(here, undefined), { redraw: true }), "link-button"),
      ),
    ),
  );
}
