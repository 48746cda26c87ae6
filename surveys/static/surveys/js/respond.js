/**
 * A survey that is open: connects the flow, the seal and the screens to the browser.
 *
 * True answers exist in `state` and in the controls on the screen. Sealing drops both (the answers in the same step as the
 * draw), and so does leaving the page.
 */

import * as flow from "./flow.js";
import { Coins, platformFill } from "./coins.js";
import { drawGroup, draws, hasTwoStrengths } from "./draws.js";
import { button, el, fill } from "./dom.js";
import { surround } from "./around.js";
import { spoken, wordsIn } from "./documents.js";
import { namedDigest } from "./fragment.js";
import { intro, introScreen } from "./intro.js";
import { isRarePromise, promisesSentence } from "./label.js";
import { bodyLength, isArm, isScale } from "./layout.js";
import { heading, outcomeNodes } from "./parts.js";
import { Post } from "./post.js";
import { part, sentences } from "./program.js";
import { rotates } from "./rotation.js";
import { fromHex, hex, requestText, SealedElsewhere } from "./seal.js";
import { started } from "./start.js";
import { Trail } from "./trail.js";
import { Attempt, isStorage, NoResponse, Patience, troubleNodes, troubleOf } from "./trouble.js";

/** The survey in one language; changing the language replaces its words and texts. @type {Page} */
let page = null;
/** @type {Design} */
let design = null;
const texts = {};
const root = document.getElementById("root");
/** The first screen. */
let first = null;
const names = new Map();

/** @type {State | null} null after the answers have been forgotten */
let state = null;
/** The answers being sealed, from the click until they are disguised: if that fails, respondents can try again. */
let unsealed = null;
/** The invitation's code, if answers need one. */
let code = null;
/** Whether it was typed. If so, it may have to be corrected, and must not appear in any address. */
let isTyped = false;
/** @type {KeptCode | null} */
let keptCode = null;
/** The module that draws arms, if there are any, and its result for this load. */
let armed = null;
let arms = [];
/** Whether the explanation was shown a second time. */
let toldAgain = false;
/** The module for the link back to a panel, if there is one. */
let panel = null;
let trail = null;
let post = null;
/** Milliseconds for the storage to respond before the first question, in both steps together, and at sealing. */
const patience = new Patience(2_000);
const SEALING = 5_000;
/** Characters of a request besides the body's, at most. */
const AROUND_BODY = 600;
/** Looks for a waiting body. @type {Attempt | null} */
let entering = null;
/** The code in the address, if there was one. */
let invitation = null;
/** The module that draws questions, if they rotate. */
let drawing = null;
/** The modules for the questions, which the first screen does not need, and a trial of the storage. */
const needed = new Attempt(() => load());
const tried = new Attempt(() => post.tryOut(2 * bodyLength(design) + AROUND_BODY));
/** What the first screen says besides: that an older body has expired, or that this window cannot store a new one. */
let note = null;
/** Whether a body will exist only in this page. */
let isInPage = false;
/** The module for numbers and places; false if the survey asks for none. */
let scale = false;
/** What has been loaded of the modules after the first screen. */
let arrived = null;
/** The review and what follows it. No question can be left before, because the network may fail later. */
const ending = new Attempt(async () => {
  const [found] = await Promise.all([arrived.loadReview(), speak("end")]);
  arrived = { ...arrived, ...found };
});
/** Seals; made by the click. @type {Attempt | null} */
let sealing = null;
let isSent = false;

function show(...nodes) {
  root.replaceChildren(...nodes.filter(Boolean));
  window.scrollTo(0, 0);
  focusHeading(root);
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
  const { wording, prevalence, whole, light } = page;
  return { ...arrived, state, now: () => state, texts, wording, prevalence, whole, light, nameOf, act };
}

const isFirstShown = () => state && flow.current(state).kind === "intro";

function screen() {
  return isFirstShown() ? [note, ...introScreen(scene(), first)] : arrived.screenNodes(scene());
}

function go(next) {
  state = next;
  show(...screen());
  trail.moveTo(flow.place(state));
}

/** Whether a question on the screen with a right answer got a wrong one, for the first time. */
function misunderstood() {
  const { kind, ...here } = flow.current(state);
  const isHere = (block, question) => kind === "whole" || (block === here.block && question === here.question);
  const isWrong = (right, place) => ![undefined, right].includes(flow.answerAt(state, place));
  return (
    !toldAgain &&
    page.wording.some(({ questions }, block) =>
      questions.some(({ right }, question) => right !== undefined && isHere(block, question) && isWrong(right, { block, question })),
    )
  );
}

/** Show the explanation again; the questions continue whatever the answer was. */
function againScreen() {
  const { explanations, whole, light } = page;
  const lines = explanations ? armed.explanation(page, arms, texts) : [texts.again, promisesSentence(texts, whole, light)];
  const on = button(texts.continue, () => go(flow.next(state)));
  return [heading(texts.again_title), ...lines.map((line) => el("p", {}, line)), el("div", { class: "row actions" }, on)];
}

/** Wait for what the next screens need. @param {() => Promise<unknown>} wanted @returns {Promise<boolean>} false if it fails, or if the screen has changed meanwhile */
async function waitedFor(wanted) {
  const before = state;
  try {
    await wanted();
  } catch (error) {
    if (state === before) {
      await fail(error, () => resume(wanted));
    }
    return false;
  }
  return state === before;
}

/** After trouble: wait again, and return to the screen before it. The answers are still there. */
async function resume(wanted) {
  if (state && (await waitedFor(wanted))) {
    show(...screen());
  }
}

/** Handlers of clicks. */
const act = {
  next: async (complain) => {
    if (flow.missing(state)) {
      complain();
    } else if (!(await waitedFor(() => ending.run()))) {
      return;
    } else if (misunderstood()) {
      toldAgain = true;
      show(...againScreen());
    } else {
      go(flow.next(state));
    }
  },
  forget,
  back: () => trail.back(),
  start: async (isWhole) => {
    const read = note;
    const isLoaded = await waitedFor(async () => {
      await needed.run();
      arrived = { ...arrived, ...(isWhole && (await arrived.loadWhole())) };
    });
    // A note that has just appeared must be read first.
    if (isLoaded && note === read) {
      // A failure is reported where it is awaited.
      ending.run().catch(() => {});
      go(flow.next(flow.arrange(state, isWhole)));
    }
  },
  answer: (value, place) => (state = flow.answer(state, value, place)),
  chooseGroup: (direct) => (state = flow.chooseGroup(state, direct)),
  enterBlock: () => go(flow.next(flow.unskip(state))),
  skip: async () => (await waitedFor(() => ending.run())) && go(flow.skip(state)),
  skipBlock: (block) => (state = flow.skipBlock(state, block)),
  answerBlock: (block) => (state = flow.unskip(state, block)),
  openBlock: (block) => (state = flow.openBlock(state, block)),
  change: (id) => {
    go(flow.change(state, id));
    root.querySelector(`[data-place="${id}"]`)?.focus();
  },
  seal: (pressed) => {
    pressed.disabled = true;
    pressed.textContent = texts.sealing;
    const answered = state;
    forget();
    unsealed = answered;
    sealing = new Attempt(sealed);
    seal();
  },
};

/** Handle the browser's Back and Forward. */
function arrive(place) {
  if (state && place !== flow.place(state)) {
    state = flow.revisit(state, place);
    show(...screen());
  }
  return state ? flow.place(state) : 0;
}

/** Disguise and store. @returns {Promise<string>} the request */
function sealed() {
  const draw = () => {
    const coins = new Coins(platformFill(draws(design)));
    const { body } = arrived.disguise(design, flow.answersToSeal(unsealed), unsealed.direct, coins, unsealed.drawn);
    unsealed = null;
    return requestText({ survey: page.survey, designId: page.design_id, body, code });
  };
  return post.seal.seal(draw, { isTyped });
}

function seal() {
  sealing.within(SEALING).then(sent, sealFailed);
}

/** @param {string} request sealed and on disk; from now on nothing else is left */
async function sent(request) {
  if (isSent) {
    return;
  }
  isSent = true;
  trail.moveTo(0);
  keptCode?.erase();
  // Changing the language would load the page anew.
  document.getElementById("languages")?.remove();
  const status = el(
    "section",
    { class: "stack", role: "status" },
    ...outcomeNodes(texts, "sending", { isInPage: post.isInPage }),
  );
  show(status);
  // Folded, because it looks like answers, and someone may be looking over the respondent's shoulder.
  const row = arrived.sentRow({ ...scene(), design }, fromHex(JSON.parse(request).body));
  status.after(row);
  const said = (nodes) => {
    const hadFocus = status.contains(document.activeElement);
    status.replaceChildren(...nodes);
    if (hadFocus) {
      focusHeading(status);
    }
  };
  const deliver = async () => {
    try {
      const { name, text } = await post.deliver(said, request);
      if (name === "delivered") {
        status.append(wayBack());
        row.append((text && (await arrived.receipt(texts, text))) || "");
      }
    } catch (error) {
      said(troubleNodes(texts, error, { onTry: deliver }));
    }
  };
  await deliver();
}

async function sealFailed(error) {
  if (isSent) {
    return;
  }
  if (error instanceof SealedElsewhere) {
    forget();
    show(...outcomeNodes(texts, "elsewhere"));
    return;
  }
  await fail(error, seal, texts.seal_failed);
  if (error instanceof NoResponse) {
    // It may still be stored.
    sealing.run().then(sent, sealFailed);
  }
}

/** Another page has sealed an answer. This page can no longer do so, and its answers are of no use. */
function shutOut() {
  if (state || unsealed) {
    forget();
    trail.moveTo(0);
    show(...outcomeNodes(texts, "elsewhere"));
  }
}

/** The link back to the panel, if there is one; shown only after the answers have arrived. */
const wayBack = () => panel?.wayBack(texts, page.panel, window.location.hash) ?? "";

/** Load what the first screen needs, and show it. If this fails, it can be called again. */
async function open(url) {
  // Load everything that only some surveys need at the same time.
  let invited;
  [invited, panel, armed, drawing] = await Promise.all([
    page.by_invitation ? part("invitation") : null,
    page.panel ? part("panel") : null,
    design.mechanism === 6 ? part("arms") : null,
    rotates(design) ? part("drawing") : null,
    isRare() && speak("rare"),
  ]);
  keptCode ??= invited && new invited.KeptCode(page.survey);
  invitation ??= invited ? invited.takeCode(window) : { code: null };
  if (keptCode && !invitation.code && !invitation.isWrong) {
    Object.assign(invitation, keptCode.read());
  }
  // Respondents who cannot be protected must learn this before the first question.
  platformFill(draws(design))();
  post ??= page.state.preview
    ? new (await part("rehearsal")).Rehearsal({ texts })
    : new Post({ survey: page.survey, url, texts, onAnnouncement: shutOut });
  entering ??= new Attempt(() => post.seal.enter());
  const found = await patience.spend(entering);
  if (found !== "open" && found !== "free") {
    await Promise.all([speak("end"), speak("unasked")]);
  }
  if (found === "waiting") {
    await deliverFound();
    return;
  }
  note = found === "expired" && el("div", { class: "note stack" }, ...outcomeNodes(texts, "expired"));
  if (!page.by_invitation || invitation.code) {
    await begin(invitation.code);
    return;
  }
  const onCode = (found) => {
    window.removeEventListener("hashchange", late);
    begin(found).then(() => focusHeading(root), fail);
  };
  // Opening the invitation in this very tab only changes the fragment.
  const late = () => {
    const { code: found } = invited.takeCode(window);
    if (found) {
      onCode(found);
    }
  };
  window.addEventListener("hashchange", late);
  const onTyped = (found) => {
    isTyped = true;
    onCode(found);
  };
  const nodes = invited.codeScreen({ texts, isWrong: invitation.isWrong, onCode: onTyped });
  root.replaceChildren(...[note, ...nodes].filter(Boolean));
}

/** Deliver a body that an earlier page left. */
async function deliverFound() {
  try {
    if ((await post.deliverFound((nodes) => show(...nodes))) === "delivered") {
      root.append(wayBack());
    }
  } catch (error) {
    await fail(error, deliverFound, texts.found);
  }
}

/** The interface texts loaded so far, in one language; later parts override earlier ones. */
let spokenParts = {};

/** @param {string} part @param {Sentences} found */
function take(part, found) {
  spokenParts[part] = found;
  const parts = ["first", "later", "scale", "end", "rare", "unasked"].flatMap((name) => spokenParts[name] ?? []);
  const kinds = [
    hasTwoStrengths(design) && "two_strengths",
    page.by_invitation && "by_invitation",
    design.invited === "group" && "strength_by_invitation",
  ];
  const others = kinds.flatMap((kind) => parts.map(({ instead }) => instead[kind]));
  Object.assign(texts, ...parts.map(({ texts: said }) => said), ...others, page.answers);
}

/** @param {string} part */
async function speak(part) {
  take(part, await sentences(part, page.own));
}

/** Whether the survey needs texts that few surveys need. */
const isRare = () =>
  page.by_invitation ||
  page.panel ||
  page.state.preview ||
  page.state.server ||
  design.group.policy !== "protected" ||
  rotates(design) ||
  design.blocks.some(isArm) ||
  [page.whole, page.light].some(isRarePromise) ||
  page.wording.some(({ questions }) => questions.some(({ right }) => right !== undefined));

/** Build the first screen, and fill its folded parts when their modules have been loaded. */
function furnish() {
  const explained = page.explanations && armed.explanation(page, arms, texts);
  first = intro(page, texts, explained);
  fold();
}

/** Fill the folded parts of the first screen, once their modules have been loaded. */
function fold() {
  if (state && arrived) {
    first.querySelector("[data-parts]").replaceChildren(...arrived.partOdds(scene()));
    first.querySelector("[data-all]")?.replaceChildren(arrived.allQuestions(page, texts));
    first.querySelector("[data-trial]")?.replaceChildren(arrived.trial(texts, design, randomName()) ?? "");
  }
}

/** Prepare the questions: load what they need, and try out the storage. */
const load = () => Promise.all([loadScreens(), tryOut()]);

/** Load the screens after the first one, and modules that only some surveys need. */
async function loadScreens() {
  const found = await Promise.all([
    part("later"),
    rotates(design) && part("all-questions"),
    speak(scale ? "scale" : "later"),
  ]);
  arrived = Object.assign({}, ...found, arrived);
  arrived.useScale(scale);
  fold();
}

/** Find out before the first question whether this device can store the answers until they are delivered. */
async function tryOut() {
  await post.ready;
  isInPage = !(await patience.spend(tried));
  if (isInPage) {
    await speak("unasked");
    sayInPage();
    furnish();
    if (isFirstShown()) {
      root.replaceChildren(...screen().filter(Boolean));
    }
  }
}

/** Say on the first screen that answers will exist only in this page. */
function sayInPage() {
  texts.kept_waiting = texts.in_page_before;
  note = el("div", { class: "note note--warn stack", role: "status" }, el("p", {}, texts.in_page_before));
}

/** Load what the questions need while the respondent reads, and report storage that fails at once. */
async function prepare() {
  try {
    await needed.run();
  } catch (error) {
    if (isStorage(error) && isFirstShown()) {
      const again = () => resume(() => needed.run());
      await fail(error, again);
      if (error instanceof NoResponse) {
        // If it responds after all, it was only slow.
        const shown = root.firstChild;
        tried.run().then(() => root.firstChild === shown && again(), () => {});
      }
    }
  }
}

/** Change the language without leaving the page, so that the answers stay. */
async function speakAs(language) {
  const words = spoken(await wordsIn(page.state, page.definition, language), language);
  const parts = Object.keys(spokenParts);
  const found = await Promise.all(parts.map((part) => sentences(part, words.own)));
  if (!state) {
    return;
  }
  page = { ...page, ...words };
  parts.forEach((part, place) => take(part, found[place]));
  if (isInPage) {
    sayInPage();
  }
  armed?.takeTexts(page.wording, arms);
  surround(started.address, page, texts);
  furnish();
  show(...screen());
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#languages a");
  if (link && !state && window.location.hash) {
    // Keep the fragment, which is valid in any language.
    event.preventDefault();
    window.location.assign(`${link.href}${window.location.hash}`);
  } else if (link && state) {
    event.preventDefault();
    speakAs(link.lang).catch(() => root.prepend(el("p", { class: "error", role: "alert" }, texts.language_failed)));
  }
});

/** Show the first screen, once the respondent may answer. */
async function begin(given) {
  code = given;
  if (!isTyped) {
    keptCode?.keep(code);
  }
  // Drawn before the group and the rotation, from separate words.
  const taken = await armed?.takeArms(page, code, platformFill);
  arms = taken?.arms ?? [];
  // Under *assigned*, the group is drawn once for this page and told before the questions; it is stored nowhere.
  const direct = design.group.policy === "assigned" ? drawGroup(design, new Coins(platformFill(1)), taken?.invited) : null;
  // Drawn once for this load, from separate words and before any answer; the result stays in `state`.
  const drawn = drawing?.drawQuestions(design, new Coins(platformFill(drawing.drawWords(design))));
  const tables = page.wording.map(({ questions }) => questions.map(({ table }) => table));
  state = flow.begin(design, { direct, drawn, tables, arms: taken?.answers });
  armed?.takeTexts(page.wording, arms);
  furnish();
  trail = new Trail(window.history, window, arrive, 1);
  root.replaceChildren(...screen().filter(Boolean));
  prepare();
}

/** A link to this page that is opened in this very tab may name another survey. */
window.addEventListener("hashchange", (event) => {
  const [before, now] = [event.oldURL, event.newURL].map((url) => namedDigest(new URL(url).hash));
  if (before !== now) {
    event.stopImmediatePropagation();
    window.location.reload();
  }
});

window.addEventListener("beforeunload", (event) => {
  if (state && Object.keys(state.answers).length > arms.length) {
    event.preventDefault();
  }
});

window.addEventListener("pagehide", () => {
  forget();
  root.replaceChildren();
});
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());

/** Show what went wrong, with a button if something can be done. The answers are kept for that. */
async function fail(error, onTry = null, more = "") {
  let told = error;
  if (isStorage(error)) {
    try {
      await Promise.all([speak("end"), speak("unasked")]);
    } catch (missing) {
      // The titles name the cause, and arrived before the second question.
      told = texts.room_title ? error : missing;
    }
  }
  if (!onTry || troubleOf(told) === "unable") {
    forget();
  }
  show(...troubleNodes(texts, told, { onTry, more: more || (isStorage(told) && texts.nothing_sent) }));
}

/**
 * @param {Page} asked
 * @param {string} url address for sealed bodies
 */
export async function respond(asked, url) {
  page = asked;
  ({ design } = page);
  try {
    const [found] = await Promise.all([design.blocks.some(isScale) && part("scale"), speak("first")]);
    scale = found;
    await open(url);
  } catch (error) {
    await fail(error, () => respond(asked, url));
  }
}
