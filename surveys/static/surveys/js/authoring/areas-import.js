/** Sensitive rectangles out of GeoJSON, checked by the server before they are taken. */

import { el, fill } from "../dom.js";
import { folded, idOf, labelled, plainButton, tickField } from "./fields.js";
import { addRectangle } from "./scale.js";
import { getAt } from "./paths.js";
import { sentence } from "./problems.js";

/** A problem in a file, with where it is. */
const placed = ({ path, message, ...problem }) =>
  sentence({ ...problem, message: message.startsWith(path) ? message : `${path}: ${message}` });

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function areasImport(app, path) {
  const { texts } = app;
  const here = [...path, "place", "sensitive"];
  const id = idOf([...here, "geojson"]);
  const refused = el("div", { class: "stack", role: "alert" });
  const written = el("textarea", { id, rows: 4, spellcheck: "false", autocomplete: "off", class: "mono" });
  const stated = getAt(app.document, here);
  const isForeign = stated !== null && typeof stated === "object" && !Array.isArray(stated);
  written.value = isForeign ? JSON.stringify(stated) : "";
  const file = el("input", {
    type: "file",
    id: `${id}-file`,
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
    const place = getAt(app.document, [...path, "place"]);
    const asked = { text: written.value, widen, stated: place };
    const { status, body } = await app.post(app.urls.areas, asked).catch(() => ({}));
    if (status !== 200) {
      say(...(body?.problems?.map(placed) ?? [body?.message ? sentence(body) : texts.away]));
      return;
    }
    const { rectangles } = body;
    app.edit(rectangles.reduce((document, each) => addRectangle(document, path, each), app.document), { redraw: true });
    app.announce(fill(texts.areas_taken, { count: rectangles.length }));
  };
  const form = folded(
    texts.areas_import,
    el("p", { class: "hint" }, texts.areas_import_about),
    labelled(id, texts.areas_geojson, written),
    labelled(file.id, texts.areas_file, file),
    tickField(app, [...here, "geojson", "widen"], "areas_widen", false, (isTicked) => (widen = isTicked)),
    refused,
    el("div", { class: "row" }, plainButton(texts.areas_take, take)),
  );
  form.toggleAttribute("data-open", isForeign);
  return form;
}
