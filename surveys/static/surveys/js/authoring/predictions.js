/** What every mechanism would do to one answer, asked of the server a moment after the last change. */

import { el, fill } from "../dom.js";
import { mapArea } from "./areas.js";
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
        : [el("p", { class: "hint" }, body?.message ? sentence(body) : texts.away)]),
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
      room.replaceChildren(el("p", { class: "hint" }, texts.prediction_needs_map));
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

function table(texts, body, kind, chosen) {
  const isPlace = kind === "place";
  const rows = body.lines.map(({ name, error, worst, mean, map, offered, everywhere }) =>
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
      isPlace && el("td", { class: "num" }, typeof map === "number" ? `${figure(map, 3)} m` : "–"),
      el("td", { class: "num" }, isPlace ? `${figure(error, 3)} m` : figure(error, 3)),
      !isPlace && el("td", { class: "num" }, figure(worst, 3)),
      isPlace ? el("td", {}, everywhere ? texts.prediction_everywhere : texts.prediction_areas) : el("td", { class: "num" }, figure(mean, 3)),
    ),
  );
  const caption = isPlace ? fill(body.prior ? texts.prediction_place_prior : texts.prediction_place, { n: body.answers }) : fill(texts.prediction_number, { n: body.answers });
  return el(
    "table",
    { class: "costs" },
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, texts.mechanism),
        isPlace && el("th", { scope: "col", class: "num" }, texts.prediction_map),
        el("th", { scope: "col", class: "num" }, texts.prediction_error),
        !isPlace && el("th", { scope: "col", class: "num" }, texts.prediction_worst),
        isPlace ? el("th", { scope: "col" }, texts.prediction_protects) : el("th", { scope: "col", class: "num" }, texts.prediction_mean),
      ),
    ),
    el("tbody", {}, ...rows),
  );
}

function remarks(texts, body, kind, chosen) {
  const skips = body.skipped && (kind === "place" ? texts.prediction_skips_place : texts.prediction_skips_number);
  const hints = [...(kind === "place" ? ofMap(texts, body, chosen) : []), skips];
  return [...hints.filter(Boolean).map((text) => el("p", { class: "hint" }, text)), typeof body.worse === "number" && examples(texts)].filter(Boolean);
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
