/** What the page shows after sealing: how the delivery goes, exactly what is sent, the odds of that row, and a receipt. */

import { el } from "./dom.js";
import { SKIPPED } from "./draws.js";
import { oddsLabel, wholeLabel, wholeNotes } from "./odds-label.js";
import { width } from "./layout.js";
import { withStems } from "./lists.js";
import { rowOdds } from "./odds.js";
import { groupDesign, wayOf } from "./own-group.js";
import { answerList, blockTag, isPartlyExact } from "./parts.js";
import { partName } from "./part-name.js";
import { inWords, scaleSaid } from "./question.js";
import { said } from "./said.js";
import { hex } from "./seal.js";
import { unpack } from "./unpack.js";

/**
 * The row that is being sent, read back from the body itself.
 *
 * @param {Scene} scene
 * @param {Uint8Array} body
 */
export function sentRow(scene, body) {
  const { design, texts } = scene;
  const record = unpack(design, body);
  const isPlain = wayOf(design, record.direct) === "direct";
  const whole = isPlain ? null : record.direct ? scene.light : scene.whole;
  return el(
    "details",
    { class: "part" },
    el("summary", {}, texts.sent_what),
    el("p", {}, texts[`sent_${wayOf(design, record.direct)}`]),
    !isPlain &&
      design.blocks.some(({ questions }) => isPartlyExact(questions)) &&
      el("p", { class: "note" }, texts.place_short),
    wholeLabel(texts, whole, false),
    ...wholeNotes(texts, whole),
    ...design.blocks.map((_, block) => sentBlock(scene, record, block)),
    bitTable(scene, body, record),
  );
}

function sentBlock({ design, texts, wording, prevalence }, record, block) {
  const isPlain = wayOf(design, record.direct) === "direct";
  const law = groupDesign(design, record.direct);
  const { questions, protected: isProtected } = law.blocks[block];
  const values = record.answers[block];
  const isRefused = record.refused[block];
  const row = isRefused ? SKIPPED : values;
  const isAbsent = isProtected && !isRefused && values.every((value) => value === null);
  const isSkipped = (index) => isRefused && (record.drawn?.[block].includes(index) ?? true);
  const emptyWord = isProtected ? texts.sent_not_asked : texts.sent_empty;
  return el(
    "section",
    { class: "card stack" },
    el("h3", {}, partName(texts, wording[block], design.blocks[block], design.blocks)),
    el("p", {}, blockTag({ state: { design, direct: record.direct }, texts }, block)),
    answerList(
      withStems(wording[block], [...questions.keys()], (index) => {
        const words = wording[block].questions[index];
        const empty = isSkipped(index) ? texts.sent_skipped : emptyWord;
        const value = values[index];
        const how = { isSent: !isPlain, picture: true };
        return { text: said(words.text), answer: value === null ? empty : inWords(questions[index], words, texts, value, how) };
      }),
    ),
    isProtected &&
      !isPlain &&
      !isAbsent &&
      (scaleSaid(law.blocks[block], texts, { sent: values[0] }) ??
        oddsLabel(texts, rowOdds(law, prevalence, block, row, wording[block].together), row)),
  );
}

function bitTable(scene, body, record) {
  const { design, texts } = scene;
  const rows = bitFields(design, body).map((field) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "mono" }, field.bits),
      el("td", {}, ...meaning(scene, record, field)),
    ),
  );
  return el(
    "details",
    {},
    el("summary", {}, texts.bits),
    el(
      "div",
      { class: "stack" },
      el("p", {}, texts.bits_text),
      el("p", { class: "mono digest" }, hex(body)),
      el(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": texts.bits },
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el("tr", {}, el("th", { scope: "col" }, texts.bits_column), el("th", { scope: "col" }, texts.bits_meaning)),
          ),
          el("tbody", {}, ...rows),
        ),
      ),
    ),
  );
}

/**
 * The meaning of each bit of a sealed body, in the order in which they are sent.
 *
 * @param {Design} design
 * @param {Uint8Array} body
 * @returns {{role: "group" | "presence" | "value" | "refusal" | "padding", block?: number, question?: number, bits: string}[]}
 */
export function bitFields(design, body) {
  const all = Array.from(body, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let next = 0;
  const take = (count) => all.slice(next, (next += count));
  const fields = [{ role: "group", bits: take(1) }];
  design.blocks.forEach((each, block) => {
    each.questions.forEach((asked, question) => {
      fields.push({ role: "presence", block, question, bits: take(1) });
      fields.push({ role: "value", block, question, bits: take(width(each, asked)) });
    });
    if (each.refusal !== null) {
      fields.push({ role: "refusal", block, bits: take(1) });
    }
  });
  if (next < all.length) {
    fields.push({ role: "padding", bits: take(all.length - next) });
  }
  return fields;
}

/** The subject of a field, in a soft colour, and its meaning. */
function meaning({ design, texts, wording }, record, { role, block, question, bits }) {
  const about = (text) => [el("span", { class: "soft" }, text), el("br")];
  if (role === "value") {
    const words = wording[block].questions[question];
    const value = record.answers[block][question];
    const asked = groupDesign(design, record.direct).blocks[block].questions[question];
    const isSent = wayOf(design, record.direct) !== "direct";
    return [...about(said(words.text)), value === null ? texts.bits_value_none : inWords(asked, words, texts, value, { isSent })];
  }
  const says = texts[`bits_${role}_${Number(bits)}`];
  if (role === "presence") {
    return [...about(said(wording[block].questions[question].text)), says];
  }
  return role === "refusal" ? [...about(partName(texts, wording[block], design.blocks[block], design.blocks)), says] : [says];
}

/**
 * A number that proves that something was sent, but not what: the start of the digest of the whole request, which contains
 * 32 random bytes, so that no one can guess the request from it.
 *
 * @param {Record<string, string>} texts
 * @param {string} request
 */
export async function receipt(texts, request) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(request)));
  return el(
    "section",
    { class: "stack part" },
    el("h3", {}, texts.receipt),
    el("p", { class: "mono receipt" }, hex(digest.subarray(0, 8)).match(/.{4}/g).join(" ")),
    el("p", {}, texts.receipt_text),
  );
}
