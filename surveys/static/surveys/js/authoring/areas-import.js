/** Sensitive rectangles out of GeoJSON, checked by the server before they are taken. */

import { button, el, fill } from "../dom.js";
import { idOf, tickField } from "./fields.js";
import { addRectangle } from "./scale.js";
import { getAt, pathText } from "./paths.js";
import { sentence } from "./problems.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function areasImport(app, path) {
  const { texts } = app;
  const here = [...path, "place", "sensitive"];
  const field = `${pathText(here)}.geojson`;
  const refused = el("div", { class: "stack", role: "alert" });
  const written = el("textarea", { id: idOf(field), rows: 4, spellcheck: "false", autocomplete: "off", class: "mono" });
  const given = getAt(app.document, here);
  const isForeign = given !== null && typeof given === "object" && !Array.isArray(given);
  written.value = isForeign ? JSON.stringify(given) : "";
  const file = el("input", {
    type: "file",
    id: `${idOf(field)}-file`,
    accept: ".json,.geojson",
    change: async () => {
      if (file.files.length) {
        written.value = await file.files[0].text();
        await take();
      }
    },
  });
  let widen = false;
  const say = (...lines) => refused.replaceChildren(...lines.map((line) => el("p", { class: "error" }, line)));
  const take = async () => {
    say();
    const stated = getAt(app.document, [...path, "place"]);
    const { status, body } = await app.post(app.urls.areas, { text: written.value, widen, stated }).catch(() => ({}));
    if (status !== 200) {
      const problems = body?.problems?.map((problem) => sentence({ ...problem, message: problem.message.startsWith(problem.path) ? problem.message : `${problem.path}: ${problem.message}` }));
      say(...(problems ?? [body?.message ? sentence(body) : texts.away]));
      return;
    }
    app.edit(
      body.rectangles.reduce((document, rectangle) => addRectangle(document, path, rectangle), app.document),
      { redraw: true },
    );
    app.announce(fill(texts.areas_taken, { count: body.rectangles.length }));
  };
  return el(
    "details",
    { "data-open": isForeign ? "" : null },
    el("summary", {}, texts.areas_import),
    el(
      "div",
      { class: "details-body stack" },
      el("p", { class: "hint", id: `${idOf(field)}-about` }, texts.areas_import_about),
      el("div", { class: "field" }, el("label", { for: written.id }, texts.areas_geojson), written),
      el("div", { class: "field" }, el("label", { for: file.id }, texts.areas_file), file),
      tickField({ field: `${field}.widen`, label: texts.areas_widen, checked: false, onTick: (on) => (widen = on) }),
      refused,
      el("div", { class: "row" }, button(texts.areas_take, take, "button button--plain")),
    ),
  );
}
