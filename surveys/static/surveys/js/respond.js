/**
 * The respondent's page: wires the flow, the seal and the screens to the browser.
 *
 * True answers live in `state` and in the controls on the screen. At the seal both are dropped, the answers with the
 * draw itself; when the page is left both are dropped as well.
 */

import * as flow from "./flow.js";
import { Coins, NoGenerator, platformFill } from "./coins.js";
import { isNamed } from "./digest.js";
import { disguise, drawGroup, draws } from "./disguise.js";
import { button, el, fill } from "./dom.js";
import { allOdds, introScreen, partOdds, screenNodes } from "./pages.js";
import { namedDigest } from "./fragment.js";
import { heading, outcomeNodes } from "./parts.js";
import { Post } from "./post.js";
import { rotates } from "./rotation.js";
import { useOdds } from "./row-odds.js";
import { fromHex, hex, missingParts, requestText, SealedElsewhere } from "./seal.js";
import { isScaleKind, useRanking, useScale } from "./question.js";
import { Trail } from "./trail.js";

const page = JSON.parse(document.getElementById("page-data").textContent);
/** Texts and wording are those of one language; another one takes their place in the same objects. */
const { survey, design, texts, wording, prevalence, whole, light } = page;
const room = document.getElementById("room");
/** The screens that come from the server. Taken now: they are out of the room until shown. */
let intros = Array.from(room.querySelectorAll("[data-intro]"));
const names = new Map();

/** @type {State | null} null once the answers are forgotten */
let state = null;
/** What is being sealed, from the click until chance is drawn: a failure before that can be tried again. */
let unsealed = null;
/** The invitation's code, where answers take one. */
let code = null;
/** Whether it was typed: then it may have to be put right, and stays out of every address. */
let isTyped = false;
/** What draws the questions, where they rotate. */
let drawing = null;
/** What draws the arms, where there are some, and what it drew: once for this load. */
let armed = null;
let arms = [];
/** Whether the explanation was shown once more. */
let toldAgain = false;
/** What leads back to a panel, where one asks. */
let panel = null;
let trail = null;
let post = null;
/** What the questions need and the first screens do without; loaded when those are there. */
let needed = null;
/** What every survey needs behind its first screen, once it is here. */
let arrived = null;
let wholeScreen = null;
let groupScreen = null;
let fullScreen = null;

function show(...nodes) {
  room.replaceChildren(...nodes.filter(Boolean));
  window.scrollTo(0, 0);
  focusHeading(room);
}

function focusHeading(part) {
  part.querySelector("h2[tabindex]")?.focus();
}

const randomName = () => `n${hex(crypto.getRandomValues(new Uint8Array(8)))}`;

function nameOf(block, question) {
  const place = `${block}.${question}`;
  if (!names.has(place)) {
    names.set(place, randomName());
  }
  return names.get(place);
}

function forget() {
  state = null;
  unsealed = null;
  names.clear();
}

function scene() {
  return { state, now: () => state, texts, wording, prevalence, whole, light, nameOf, act, groupScreen, wholeScreen };
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

/** Whether something on the screen that has a right answer got another one, and nothing was said to it yet. */
function misunderstood() {
  const { kind, ...here } = flow.current(state);
  const isHere = (block, question) => kind === "whole" || (block === here.block && question === here.question);
  const isWrong = (right, place) => ![undefined, right].includes(flow.answerAt(state, place));
  return (
    !toldAgain &&
    wording.some(({ questions }, block) =>
      questions.some(({ right }, question) => right !== undefined && isHere(block, question) && isWrong(right, { block, question })),
    )
  );
}

/** The explanation once more; whatever was answered, the questions go on. */
function againScreen() {
  const lines = (texts[`explained_${arms[page.explained]}`] ?? texts.again).split("\n").filter(Boolean);
  const on = button(texts.continue, () => go(flow.next(state)));
  return [heading(texts.again_title), ...lines.map((line) => el("p", {}, line)), el("div", { class: "row actions" }, on)];
}

/** What clicks do. */
const act = {
  next: (complain) => {
    const lacking = flow.missing(state);
    if (lacking === "full") {
      show(...fullScreen(scene()));
    } else if (lacking) {
      complain();
    } else if (misunderstood()) {
      toldAgain = true;
      show(...againScreen());
    } else {
      go(flow.next(state));
    }
  },
  stay: () => show(...screen()),
  forget,
  back: () => trail.back(),
  start: async (isWhole) => {
    const before = state;
    try {
      await needed;
    } catch (error) {
      forget();
      fail(error);
      return;
    }
    // A second press came first, or the page was left.
    if (state !== before) {
      return;
    }
    wholeScreen = isWhole ? arrived.wholeScreen : null;
    go(flow.next(flow.arrange(state, Boolean(wholeScreen))));
  },
  answer: (value, place) => (state = flow.answer(state, value, place)),
  chooseGroup: (direct) => (state = flow.chooseGroup(state, direct)),
  enterBlock: () => go(flow.next(flow.unskip(state))),
  skip: () => go(flow.skip(state)),
  skipBlock: (block) => (state = flow.skipBlock(state, block)),
  answerBlock: (block) => (state = flow.unskip(state, block)),
  openBlock: (block) => (state = flow.openBlock(state, block)),
  change: (id) => {
    go(flow.change(state, id));
    room.querySelector(`[data-place="${id}"]`)?.focus();
  },
  seal: (pressed) => {
    pressed.disabled = true;
    pressed.textContent = texts.sealing;
    const answered = state;
    forget();
    unsealed = answered;
    seal();
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

function seal() {
  post.seal
    .seal(() => {
      const coins = new Coins(platformFill(draws(design)));
      const { body } = disguise(design, flow.answersToSeal(unsealed), unsealed.direct, coins, unsealed.drawn);
      unsealed = null;
      return requestText({ survey, designId: page.design_id, body, code });
    }, { isTyped })
    .then(sent, sealFailed);
}

/** @param {string} request sealed, on the disk, and from here on all that is left */
async function sent(request) {
  trail.moveTo(0);
  // In another language the page would begin anew.
  document.getElementById("languages")?.remove();
  const status = el(
    "section",
    { class: "stack", role: "status" },
    ...outcomeNodes(texts, "sending", { isInPage: post.isInPage }),
  );
  show(status);
  // Delivery waits for nothing: what was sent is shown when the script that shows it is here.
  const row = needed.then(() => {
    const { body } = JSON.parse(request);
    const scene = { design, texts, wording, prevalence, whole, light, isInvited: code !== null };
    // Folded: what stands there looks like answers, and somebody may look over a shoulder.
    const shown = arrived.sentRow(scene, fromHex(body));
    if (status.isConnected) {
      status.after(shown);
    }
    return shown;
  });
  const { name, text } = await post.deliver((nodes) => {
    const hadFocus = status.contains(document.activeElement);
    status.replaceChildren(...nodes);
    if (hadFocus) {
      focusHeading(status);
    }
  }, request);
  if (name === "delivered") {
    status.append(wayBack());
    if (text) {
      (await row)?.append(await arrived.receipt(texts, text));
    }
  }
}

function sealFailed(error) {
  if (error instanceof SealedElsewhere) {
    forget();
    show(...outcomeNodes(texts, "elsewhere"));
  } else if (error instanceof NoGenerator) {
    forget();
    show(...unable(["crypto.getRandomValues"]));
  } else {
    const again = button(texts.try_again, () => {
      again.disabled = true;
      seal();
    });
    const text = unsealed ? texts.seal_not_drawn : texts.seal_failed;
    show(heading(texts.seal_failed_title), el("p", { role: "alert" }, text), again);
  }
}

/** Another page has sealed: this one cannot, and what was answered here is of no use to anybody. */
function shutOut() {
  if (state || unsealed) {
    forget();
    trail.moveTo(0);
    show(...outcomeNodes(texts, "elsewhere"));
  }
}

function unable(parts) {
  return [heading(texts.unable_title), el("p", {}, fill(texts.unable, { parts: parts.join(", ") }))];
}

/** The way back to the panel that asked, where one did: after answers have arrived, and never before. */
const wayBack = () => panel?.wayBack(texts, page.panel, window.location.hash) ?? "";

async function open() {
  const { codeScreen, takeCode } = page.by_invitation ? await import("./invitation.js") : {};
  const invitation = page.by_invitation ? takeCode(window) : { code: null };
  const parts = missingParts(globalThis);
  if (parts.length) {
    show(...unable(parts));
    return;
  }
  // Whoever cannot be protected has to learn it before the first question.
  platformFill(draws(design))();
  drawing = rotates(design) ? await import("./drawing.js") : null;
  panel = page.panel ? await import("./panel.js") : null;
  armed = design.mechanism === 6 ? await import("./arms.js") : null;
  post = page.preview
    ? new (await import("./rehearsal.js")).Rehearsal({ texts })
    : new Post({ survey, url: page.submit, clearUrl: page.clear, texts, onAnnouncement: shutOut });
  const found = await post.seal.enter();
  if (found === "waiting") {
    if ((await post.deliverFound((nodes) => show(...nodes))) === "delivered") {
      room.append(wayBack());
    }
    return;
  }
  if (isOther()) {
    return;
  }
  const note = found === "expired" && el("div", { class: "note stack" }, ...outcomeNodes(texts, "expired"));
  if (!page.by_invitation || invitation.code) {
    await begin(invitation.code, note);
    return;
  }
  const onCode = (found) => {
    window.removeEventListener("hashchange", late);
    begin(found).then(() => focusHeading(room), fail);
  };
  // Opening the invitation in this very tab changes no more than what stands behind the "#".
  const late = () => {
    const { code: found } = takeCode(window);
    if (found) {
      onCode(found);
    }
  };
  window.addEventListener("hashchange", late);
  const onTyped = (found) => {
    isTyped = true;
    onCode(found);
  };
  const nodes = codeScreen({ texts, isWrong: invitation.isWrong, onCode: onTyped });
  room.replaceChildren(...[note, ...nodes].filter(Boolean));
}

/** Whether the link names another survey than this one, and then say so: nothing is asked, and no code is used. */
function isOther() {
  const named = namedDigest(window.location.hash);
  if (named === null || !page.root || isNamed(page.root, named)) {
    return false;
  }
  const which = page.older.some((root) => isNamed(root, named)) ? "changed" : "other";
  show(heading(texts[`${which}_title`]), el("p", {}, texts[which]));
  return true;
}

/** Put into the first screen what is made from the design. */
function furnish() {
  const [intro] = intros;
  armed?.showArms(page, arms, intro, (place, lines) => place.replaceChildren(...lines.map((line) => el("p", {}, line))));
  intro.querySelector("[data-odds]")?.append(allOdds(scene()) || "");
}

/** Put in what is folded there, once what that needs is here. */
function furnishFold() {
  const [intro] = intros;
  needed.then(
    () => {
      if (state) {
        intro.querySelector("[data-parts]")?.append(...partOdds(scene()));
        intro.querySelector("[data-trial]")?.append(arrived.trial(texts, design, randomName()) ?? "");
      }
    },
    () => {},
  );
}

/** What stands behind the first screen, and what only some surveys ask for. */
function load() {
  const hasScale = design.blocks.some(({ questions }) => isScaleKind(questions[0]));
  return Promise.all([
    import("./later.js").then((module) => useOdds((arrived = module))),
    hasScale && import("./scale.js").then(useScale),
    wording.some(({ questions }) => questions.some(({ things }) => things)) && import("./ranking.js").then(useRanking),
    design.blocks.some(({ radius }) => radius !== undefined) && import("./near.js"),
    design.group.policy !== "protected" && import("./groups.js").then((module) => ({ groupScreen } = module)),
    page.full && import("./full.js").then((module) => ({ fullScreen } = module)),
  ]);
}

/** Another language, in this very page: what was answered stays. */
async function speakAs(link) {
  const { speak } = await import("./language.js");
  const found = await speak(link.href, page);
  if (found === null) {
    window.location.assign(`${link.href}${window.location.hash}`);
    return;
  }
  intros = found;
  furnish();
  furnishFold();
  show(...screen());
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#languages a");
  if (link && !state && window.location.hash) {
    // What the link names holds in any language.
    event.preventDefault();
    window.location.assign(`${link.href}${window.location.hash}`);
  } else if (link && state) {
    event.preventDefault();
    speakAs(link).catch(() => room.prepend(el("p", { class: "error", role: "alert" }, texts.language_failed)));
  }
});

/** The first screen, once whoever is here may answer. */
async function begin(given, note = false) {
  code = given;
  // Before the group and what rotates, from words of their own.
  const taken = await armed?.takeArms(page, code, platformFill);
  arms = taken?.arms ?? [];
  // Under *assigned* the group is drawn once for this page and told before the questions; it is kept nowhere.
  const direct = design.group.policy === "assigned" ? drawGroup(design, new Coins(platformFill(1)), taken?.invited) : null;
  // Once for this load, from words of its own and before anything is answered; it stays in `state` alone.
  const drawn = drawing?.drawQuestions(design, new Coins(platformFill(drawing.drawWords(design))));
  const tables = wording.map(({ questions }) => questions.map(({ table }) => table));
  state = flow.begin(design, { intros: intros.length, direct, drawn, tables, full: page.full, arms: taken?.answers });
  furnish();
  trail = new Trail(window.history, window, arrive, intros.length);
  room.replaceChildren(...[note, ...screen()].filter(Boolean));
  needed = load();
  furnishFold();
}

/** Another link to this page, opened in this very tab, may name another survey. */
window.addEventListener("hashchange", (event) => {
  const [before, now] = [event.oldURL, event.newURL].map((url) => namedDigest(new URL(url).hash));
  if (before !== now) {
    event.stopImmediatePropagation();
    window.location.reload();
  }
});

window.addEventListener("beforeunload", (event) => {
  if (state && Object.keys(state.answers).length > arms.length && flow.missing(state) !== "full") {
    event.preventDefault();
  }
});

window.addEventListener("pagehide", () => {
  forget();
  room.replaceChildren();
});
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());

function fail(error) {
  const broken = [heading(texts.broken_title), el("p", {}, fill(texts.broken, { error: error.message }))];
  if (error instanceof NoGenerator) {
    show(...unable(["crypto.getRandomValues"]));
  } else {
    // Where somebody has forbidden sites to store anything, the store is there and refuses.
    show(...(error.name === "SecurityError" ? unable(["IndexedDB"]) : broken));
  }
}

open().catch(fail);
