/** What every mechanism would do to one answer, asked of the server a moment after the last change. */

import { el, fill } from "../dom.js";
import { mapArea } from "./areas.js";
import { hint } from "./fields.js";
import { getAt } from "./paths.js";
import { sentence } from "./problems.js";

const PATIENCE = 400;

const figure = (value, digits) => new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: digits }).format(value);

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function predictions(app, path) {
  const { texts } = app;
  const room = el("div", { class: "stack for-experts", role: "status" });
  let timer = null;
  let last = "";
  const show = ({ status, body }, kind, chosen) => {
    const isRight = status === 200;
    room.replaceChildren(
      ...(isRight
        ? [table(texts, body, kind, chosen), ...remarks(texts, body, kind, chosen)]
        : [hint(body?.message ? sentence(body) : texts.away)]),
    );
  };
  const ask = () => {
    const question = getAt(app.document, path);
    if (!question?.[question.kind]) {
      return;
    }
    const { kind, [kind]: stated } = question;
    const refusal = getAt(app.document, path.slice(0, 2))?.refusal ?? null;
    const asked = JSON.stringify([stated, refusal]);
    if (asked === last) {
      return;
    }
    last = asked;
    window.clearTimeout(timer);
    if (kind === "place" && mapArea(question) === null && !stated.outline) {
      room.replaceChildren(hint(texts.prediction_needs_map));
      return;
    }
    timer = window.setTimeout(async () => {
      const answer = await app.post(app.urls.accuracy, { kind, stated, refusal }).catch(() => ({}));
      if (room.isConnected && asked === last) {
        show(answer, kind, stated.mechanism);
      }
    }, PATIENCE);
  };
  ask();
  app.whenRefreshed(ask);
  return room;
}

const metres = (value) => (typeof value === "number" ? `${figure(value, 3)} m` : "–");

/** The figures of a kind: the name of a column, its cell, and whether that is a number. */
const columnsOf = (texts, kind) =>
  kind === "place"
    ? [
        [texts.prediction_map, ({ map }) => metres(map), true],
        [texts.prediction_error, ({ error }) => metres(error), true],
        [texts.prediction_protects, (line) => (line.everywhere ? texts.prediction_everywhere : texts.prediction_areas), false],
      ]
    : ["error", "worst", "mean"].map((name) => [texts[`prediction_${name}`], (line) => figure(line[name], 3), true]);

function table(texts, body, kind, chosen) {
  const columns = columnsOf(texts, kind);
  const classOf = (isNumber) => ({ class: isNumber && "num" });
  const rows = body.lines.map((line) =>
    el(
      "tr",
      { class: line.name === chosen && "row--current" },
      el(
        "th",
        { scope: "row" },
        texts[`mechanism_name_${line.name}`] ?? line.name,
        " ",
        line.name === body.proposed && el("span", { class: "tag tag--good" }, texts.prediction_proposed),
        !line.offered && el("span", { class: "tag tag--quiet" }, texts.prediction_compared),
      ),
      ...columns.map(([, cell, isNumber]) => el("td", classOf(isNumber), cell(line))),
    ),
  );
  const heads = columns.map(([name, , isNumber]) => el("th", { scope: "col", ...classOf(isNumber) }, name));
  const about = kind === "number" ? texts.prediction_number : body.prior ? texts.prediction_place_prior : texts.prediction_place;
  return el(
    "table",
    { class: "costs" },
    el("caption", {}, fill(about, { n: body.answers })),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, texts.mechanism), ...heads)),
    el("tbody", {}, ...rows),
  );
}

function remarks(texts, body, kind, chosen) {
  const skips = body.skipped && (kind === "place" ? texts.prediction_skips_place : texts.prediction_skips_number);
  const hints = [...(kind === "place" ? ofMap(texts, body, chosen) : []), skips];
  return [...hints.filter(Boolean).map(hint), typeof body.worse === "number" && examples(texts)].filter(Boolean);
}

/** Maps on which protecting areas only does not pay. */
function examples(texts) {
  const lines = [texts.prediction_corners, texts.prediction_frame].map((text) => el("li", {}, text));
  return el("details", {}, el("summary", {}, texts.prediction_examples), el("ul", { class: "details-body hint" }, ...lines));
}

function ofMap(texts, { lines, cells, cell, off, worse }, chosen) {
  const alike = lines.find(({ name }) => name === chosen)?.alike;
  return [
    alike && fill(texts.prediction_alike, { across: figure(alike[0], 3), up: figure(alike[1], 3) }),
    fill(texts.prediction_cells, { columns: cells[0], rows: cells[1], across: cell[0], up: cell[1] }),
    fill(texts.prediction_exact, { off: figure(off, 2) }),
    worse > 0 && fill(texts.prediction_worse, { share: Math.max(1, Math.round(100 * worse)) }),
  ];
}
