/**
 * The respondent's page: wires the flow, the seal and the screens to the browser.
 *
 * True answers live in `state` and in the controls on the screen. At the seal both are dropped; when the page is
 * left both are dropped as well.
 */

import * as flow from "./flow.js";
import { Coins, NoGenerator, platformFill } from "./coins.js";
import { disguise, drawGroup, draws } from "./disguise.js";
import { button, el, fill } from "./dom.js";
import { allOdds, introScreen, screenNodes } from "./pages.js";
import { outcomeNodes } from "./outcome.js";
import { heading } from "./parts.js";
import { Post } from "./post.js";
import { Rehearsal } from "./rehearsal.js";
import { fromHex, hex, missingParts, requestText, SealedElsewhere } from "./seal.js";
import { receipt, sentRow } from "./sent.js";
import { Trail } from "./trail.js";

const page = JSON.parse(document.getElementById("page-data").textContent);
const { survey, design, texts, wording, prevalence } = page;
const room = document.getElementById("room");
const intros = Array.from(room.querySelectorAll("[data-intro]"));
const names = new Map();

/** @type {import("./flow.js").State | null} null once the answers are forgotten */
let state = null;
let trail = null;
let post = null;

function show(...nodes) {
  room.replaceChildren(...nodes.filter(Boolean));
  window.scrollTo(0, 0);
  focusHeading(room);
}

function focusHeading(part) {
  part.querySelector("h2[tabindex]")?.focus();
}

function nameOf(block, question) {
  const place = `${block}.${question}`;
  if (!names.has(place)) {
    names.set(place, `n${hex(crypto.getRandomValues(new Uint8Array(8)))}`);
  }
  return names.get(place);
}

function forget() {
  state = null;
  names.clear();
}

function scene() {
  return { state, texts, wording, prevalence, nameOf, act };
}

function screen() {
  const { id, kind } = flow.current(state);
  if (kind !== "intro") {
    return screenNodes(scene());
  }
  const number = Number(id.slice("intro-".length));
  return introScreen(scene(), intros[number], { isFirst: number === 0, isLast: number === intros.length - 1 });
}

function go(next) {
  state = next;
  show(...screen());
  trail.moveTo(flow.place(state));
}

/** What clicks do. */
const act = {
  next: (complain) => (flow.missing(state) ? complain() : go(flow.next(state))),
  back: () => trail.back(),
  answer: (value) => (state = flow.answer(state, value)),
  chooseGroup: (direct) => (state = flow.chooseGroup(state, direct)),
  enterBlock: () => go(flow.next(flow.unskip(state))),
  skip: () => go(flow.skip(state)),
  change: (id) => go(flow.change(state, id)),
  seal: (pressed) => {
    pressed.disabled = true;
    pressed.textContent = texts.sealing;
    const answered = state;
    forget();
    seal(answered).then(sent, (error) => sealFailed(error, answered));
  },
};

/** Where the browser's own Back and Forward lead. */
function arrive(place) {
  if (state && place !== flow.place(state)) {
    state = flow.revisit(state, place);
    show(...screen());
  }
  return state ? flow.place(state) : 0;
}

function seal(answered) {
  return post.seal.seal(() => {
    const coins = new Coins(platformFill(draws(design)));
    const { body } = disguise(design, flow.answersToSeal(answered), answered.direct, coins);
    return requestText({ survey, designId: page.design_id, body });
  });
}

/** @param {string} request sealed, on the disk, and from here on all that is left */
async function sent(request) {
  forgetGroup();
  trail.moveTo(0);
  const status = el("section", { class: "stack", role: "status" }, ...outcomeNodes(texts, "sending"));
  show(status, sentRow({ design, texts, wording, prevalence }, fromHex(JSON.parse(request).body)));
  const name = await post.deliver((nodes) => {
    const hadFocus = status.contains(document.activeElement);
    status.replaceChildren(...nodes);
    if (hadFocus) {
      focusHeading(status);
    }
  });
  if (name === "delivered") {
    room.append(await receipt(texts, request));
  }
}

function sealFailed(error, answered) {
  if (error instanceof SealedElsewhere) {
    show(...outcomeNodes(texts, "elsewhere"));
  } else if (error instanceof NoGenerator) {
    show(...unable(["crypto.getRandomValues"]));
  } else {
    const again = button(texts.try_again, () => {
      again.disabled = true;
      seal(answered).then(sent, (repeated) => sealFailed(repeated, answered));
    });
    show(heading(texts.seal_failed_title), el("p", { role: "alert" }, texts.seal_failed), again);
  }
}

/** Another page has sealed: this one cannot, and what was answered here is of no use to anybody. */
function shutOut() {
  if (state) {
    forget();
    trail.moveTo(0);
    show(...outcomeNodes(texts, "elsewhere"));
  }
}

function unable(parts) {
  return [heading(texts.unable_title), el("p", {}, fill(texts.unable, { parts: parts.join(", ") }))];
}

const GROUP_KEY = `sotto:${survey}:group`;

/** Under *assigned* the group is drawn once for this tab and told before the questions. */
function assignedGroup() {
  // A preview keeps nothing, and a sandboxed one could not.
  const kept = page.preview ? null : sessionStorage.getItem(GROUP_KEY);
  if (kept) {
    return kept === "direct";
  }
  const isDirect = drawGroup(design, new Coins(platformFill(1)));
  if (page.preview) {
    return isDirect;
  }
  sessionStorage.setItem(GROUP_KEY, isDirect ? "direct" : "protected");
  return isDirect;
}

function forgetGroup() {
  if (design.group.policy === "assigned" && !page.preview) {
    sessionStorage.removeItem(GROUP_KEY);
  }
}

async function open() {
  const parts = missingParts(globalThis);
  if (parts.length) {
    show(...unable(parts));
    return;
  }
  // Whoever cannot be protected has to learn it before the first question.
  platformFill(draws(design))();
  post = page.preview
    ? new Rehearsal({ texts })
    : new Post({ survey, url: page.submit, texts, onAnnouncement: shutOut });
  const found = await post.seal.enter();
  if (found === "waiting") {
    forgetGroup();
    await post.deliverFound((nodes) => show(...nodes));
    return;
  }
  const direct = design.group.policy === "assigned" ? assignedGroup() : null;
  state = flow.begin(design, { intros: intros.length, direct });
  room.querySelector("[data-odds]")?.append(...allOdds(scene()));
  trail = new Trail(window.history, window, arrive, intros.length);
  const note = found === "expired" && el("div", { class: "note stack" }, ...outcomeNodes(texts, "expired"));
  room.replaceChildren(...[note, ...screen()].filter(Boolean));
}

window.addEventListener("pagehide", () => {
  forget();
  room.replaceChildren();
});
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());

open().catch((error) => {
  const isGenerator = error instanceof NoGenerator;
  const broken = [heading(texts.broken_title), el("p", {}, fill(texts.broken, { error: error.message }))];
  show(...(isGenerator ? unable(["crypto.getRandomValues"]) : broken));
});
