/**
 * A frame: one protected part inside another tool's page. It sends its height before the first question, and one line of
 * text, drawn once. The number, order and size of its messages do not depend on the answers.
 *
 * True answers exist in `answers` and in the controls on the screen. Both are dropped when the line is drawn.
 */

import { answerString, isAnswerString } from "./answer-string.js";
import { Coins, platformFill } from "./coins.js";
import { disguise } from "./disguise.js";
import { button, el } from "./dom.js";
import { draws, SKIPPED } from "./draws.js";
import { DONE, Memory } from "./frame-memory.js";
import { asksBoxes, KINDS } from "./kinds.js";
import { bodyLength, isScale } from "./layout.js";
import { stemAbove, stemHead } from "./lists.js";
import { partHeading } from "./part-name.js";
import { part } from "./program.js";
import { finder } from "./finder.js";
import { questionFieldset, useFinder, useScale } from "./question.js";
import { everything, rotates } from "./rotation.js";
import { heading, said, stemOf } from "./said.js";
import { troubleOf } from "./trouble.js";

const page = JSON.parse(document.getElementById("page-data").textContent);
const { design, digest, texts, hosts, site } = page;
/** The part, its texts and its drawn questions, as asked: with components in the place of composite questions. */
let [block] = design.blocks;
let { wording } = page;
let drawn;
const root = document.getElementById("root");
const label = [...root.children];
const host = hostOrigin();
/** Milliseconds for the host to confirm that it stored the string. */
const PATIENCE = 10_000;

let answers = {};
/** What composite questions need, if there are any. */
let composed;
let memory = null;
let waiting = null;

/** The exact origin that may read the messages; null if the page around the frame is not an allowed host. */
function hostOrigin() {
  const [parent] = window.location.ancestorOrigins ?? [];
  const found = parent ?? (document.referrer ? new URL(document.referrer).origin : hosts.length === 1 && hosts[0]);
  return window.parent !== window && hosts.includes(found) ? found : null;
}

const send = (message) => window.parent.postMessage({ sotto: 1, ...message }, host);

function show(...nodes) {
  root.replaceChildren(...nodes.filter(Boolean));
  root.querySelector("h2[tabindex], legend [tabindex]")?.focus();
}

/** The end of the first screen. */
let ending = (start) => [el("div", { class: "row actions" }, start)];
const labelScreen = () => [...label, ...ending(button(texts.start, () => show(...questionScreen())))];

/** The questions of the screen with their fields; a field can complain that it is empty. */
function questions() {
  const shown = drawn[0];
  const keep = (value, line) => {
    answers[block.questions[line].key] = value;
    composed?.follow(fields, answers);
  };
  const fields = shown.flatMap((index, place) => {
    const question = block.questions[index];
    const stem = stemAbove(wording, shown, place);
    const isLine = Boolean(stemOf(wording, index));
    const isBoxes = isLine && stemOf(wording, index).boxes;
    if (isBoxes && !stem) {
      return [];
    }
    const lines = isBoxes && shown.filter((line) => stemOf(wording, line) === stem);
    return {
      question,
      index,
      head: stem && !isBoxes ? stemHead(stem, el("h3", {}, said(stem.text))) : [],
      field: questionFieldset({
        question,
        wording: wording.questions[index],
        value: answers[question.key],
        isProtected: !question.mayLeave,
        isSkippable: block.refusal !== null,
        name: `n${index}`,
        id: `question-${index}`,
        level: shown.length > 1 ? (isLine && !isBoxes ? "h4" : "h3") : "h2",
        texts,
        onAnswer: (value) => keep(value, index),
        onContinue: () => {},
        ...(isBoxes && KINDS.several.list(wording, stem, lines, (line) => answers[block.questions[line].key], keep)),
      }),
    };
  });
  composed?.follow(fields, answers);
  return fields;
}

function questionScreen(fields = questions()) {
  const disguised = (pressed) => {
    const empty = fields.filter(({ question, field }) => answers[question.key] === undefined && !question.mayLeave && !field.node.hidden);
    if (empty.length) {
      empty.forEach(({ field }) => field.complain());
      empty[0].field.focus();
      return;
    }
    seal(pressed, answers);
  };
  const press = button(texts.disguise, () => disguised(press));
  const skip = button(texts.skip, () => seal(skip, SKIPPED), "button button--plain");
  return [
    fields.length > 1 && heading(partHeading(texts, wording, block)),
    ...fields.flatMap(({ head, field }) => [...head, field.node]),
    el(
      "div",
      { class: "row actions" },
      press,
      block.refusal !== null && skip,
      button(texts.back, () => show(...labelScreen()), "link-button back"),
    ),
  ];
}

const doneScreen = (...more) => [heading(texts.done), el("p", {}, texts.not_again), ...more];

const lostScreen = (value) =>
  doneScreen(
    el("p", { class: "error", role: "alert" }, texts.not_kept),
    button(texts.send_again, () => deliver(value), "button button--plain"),
  );

const forget = () => (answers = {});

/** Draw once, and hand over the string. */
async function seal(pressed, given) {
  pressed.disabled = true;
  try {
    const value = await memory.once(() => {
      const coins = new Coins(platformFill(draws(design)));
      const own = composed?.toSeal(given) ?? { answers: { [block.key]: given }, drawn };
      return answerString(digest, disguise(design, own.answers, false, coins, own.drawn).body);
    });
    forget();
    deliver(value);
  } catch (error) {
    forget();
    fail(error);
  }
}

/** Show what went wrong, in this page's words. */
function fail(error) {
  const isMissing = troubleOf(error) === "unreached";
  const again = button(texts.try_again, () => {
    again.disabled = true;
    start();
  });
  show(
    heading(isMissing ? texts.unreached_title : texts.broken),
    el("p", { role: "alert" }, isMissing ? texts.unreached : texts.broken_remedy),
    isMissing && again,
  );
}

function deliver(value) {
  // Changing the language would load the page anew.
  document.getElementById("languages")?.remove();
  show(...doneScreen());
  send({ part: block.key, ...(value === DONE ? { done: true } : { value }) });
  if (value !== DONE) {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(...lostScreen(value)), PATIENCE);
  }
}

/** The message of the page around the frame; null if it is another's. */
const heard = ({ source, origin, data }) => (source === window.parent && origin === host && data?.sotto === 1 ? data : null);

function hear(event) {
  const data = heard(event);
  if (!data) {
    return;
  }
  if (isAnswerString(data.value, digest, bodyLength(design))) {
    // The host has the string from an earlier load: show that all is done, without reading it or drawing again.
    forget();
    memory.once(() => data.value).then((value) => (value === data.value ? show(...doneScreen()) : deliver(value)));
  } else if (data.stored === true || data.complete === true) {
    clearTimeout(waiting);
    if (memory.read() !== null) {
      show(...doneScreen());
      if (data.complete === true) {
        memory.end();
      }
    }
  }
}

/** The height of the tallest screen. Sending the height of each screen would reveal when it is shown. */
function tallest() {
  const fields = questions();
  const screens = [labelScreen(), questionScreen(fields), lostScreen(DONE)];
  const heights = screens.map((nodes) => {
    root.replaceChildren(...nodes.filter(Boolean));
    fields.forEach(({ field }) => {
      field.node.hidden = false;
      field.complain();
    });
    return document.querySelector("main").offsetHeight;
  });
  return Math.ceil(Math.max(...heights));
}

/** Whether an origin belongs to the site that tool and frame share. @param {string} origin */
function isOnSite(origin) {
  const { protocol, hostname } = new URL(origin);
  return Boolean(site) && protocol === "https:" && (hostname === site || hostname.endsWith(`.${site}`));
}

/** Whether the browser also treats frame and tool as one site: only then does it keep a strict cookie here. */
function isOneSite() {
  const [name, rules] = ["sottovoce-probe=1", "SameSite=Strict; Secure; Max-Age"];
  document.cookie = `${name}; ${rules}=60`;
  const isKept = document.cookie.split("; ").includes(name);
  document.cookie = `${name}; ${rules}=0`;
  return isKept;
}

/** Whether this device will remember that a respondent has answered; true only if the browser's rules are known to allow it. */
async function remembers() {
  const isWorking = await memory.works();
  const isSame = [window.location.origin, ...hosts].every(isOnSite);
  return isSame && !page.shared && isOneSite() && isWorking && (await document.hasStorageAccess?.()) !== false;
}

/** This origin's storage, if the browser provides it and the device is not shared. */
function storage() {
  try {
    return page.shared ? null : window.localStorage;
  } catch {
    return null;
  }
}

async function open() {
  useFinder(finder);
  if (host === null) {
    show(heading(texts.alone), el("p", {}, texts.alone_remedy));
    return;
  }
  // Hosts of one site share this storage, so that someone who answered under one of them cannot answer under another.
  const key = `sotto:frame:${digest}:${isOnSite(host) ? site : host}`;
  memory = new Memory({ storage: storage(), locks: navigator.locks, key });
  if (isScale(block)) {
    useScale((await part("frame-number")).numberShown);
  }
  if (asksBoxes({ design, wording: [wording] })) {
    await part("boxes");
  }
  platformFill(draws(design))();
  drawn = everything(design);
  if (rotates(design)) {
    const { drawQuestions, drawWords } = await part("drawing");
    // Whether it is this person's turn is known when the page around the frame has given the number.
    drawn = drawQuestions(design, new Coins(platformFill(drawWords(design))), page.turn && [0]);
  }
  if (design.mechanism > 6) {
    composed = await (await part("frame-composites")).compose(page, drawn, label);
    ({ block, wording, drawn } = composed);
  }
  const isKept = await remembers();
  if (!isKept) {
    label.push(el("p", { class: "note" }, page.shared ? texts.shared : texts.may_forget));
  }
  if (page.turn) {
    const { Turn, NOTHING } = await part("frame-turn");
    const turn = new Turn(page);
    ending = (start) =>
      turn.nodes(start, (pressed) => {
        composed = NOTHING;
        seal(pressed);
      });
    window.addEventListener("message", async (event) => {
      const { person } = heard(event) ?? {};
      if (person !== undefined && (await turn.take(person)) && memory.read() === null) {
        forget();
        root.replaceChildren(...labelScreen());
      }
    });
  }
  /** Zero until the frame has both. */
  let size;
  function begin() {
    // A frame that its host hides, or that a slow device has not laid out, has no height, or no width and a large height.
    size = root.offsetHeight * root.offsetWidth;
    send({ height: size ? tallest() : 900, remembers: isKept });
    root.replaceChildren(...labelScreen());
  }
  begin();
  // Measure again later, unless the respondent has started.
  new ResizeObserver(() => size || root.firstChild !== label[0] || begin()).observe(root);
  window.addEventListener("message", hear);
  const found = memory.read();
  if (found !== null) {
    deliver(found);
  }
}

window.addEventListener("pagehide", () => {
  forget();
  root.replaceChildren();
});
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());

const start = () => open().catch(fail);

start();
