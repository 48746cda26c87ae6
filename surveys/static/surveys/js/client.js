/**
 * The respondents' client, the same for all surveys and languages. It loads the state of the survey at its address, checks
 * documents against their digests, and shows the survey if it is open, or else why not.
 */

import { dress, surround, tell } from "./around.js";
import { NotThis, pageOf } from "./documents.js";
import { button, fill } from "./dom.js";
import { Post } from "./post.js";
import { respond } from "./respond.js";
import { patiently, sentences } from "./program.js";
import { missingParts } from "./seal.js";
import { ownLanguage, started, stateOf } from "./start.js";
import { Attempt, isStorage, troubleNodes, troubleOf } from "./trouble.js";

const root = document.getElementById("root");
const own = ownLanguage(started.address.language);
const texts = {};
/** Milliseconds for the storage to respond. */
const PATIENCE = 2_000;
/** The survey's state, once it has been loaded. @type {SurveyState | null} */
let state = null;

const reload = () => window.location.reload();

/** The address for sealed bodies: on the server that this page's host names, or on this one. */
const submissionsOf = (server) => `${server}/api/submissions`;

/** Load texts that few people need, because they appear only if a survey is not asked. */
async function speak(...parts) {
  for (const part of parts) {
    const { texts: said, instead } = await sentences(part, own);
    Object.assign(texts, said, state?.by_invitation && instead.by_invitation);
  }
}

/** Show that the survey is over, and deliver an answer that was sealed in time. */
async function ended() {
  await speak("unasked");
  const { title, takes_late: takesLate } = state;
  const named = title[own] ?? Object.values(title)[0];
  tell(fill(texts.ended_title, { title: named }), takesLate ? texts.ended_late : texts.ended);
  document.title = named;
  await deliver();
}

/** Deliver an answer that waits on this device, if there is one, or say why that cannot be known. */
async function deliver() {
  try {
    await deliverWaiting();
  } catch (error) {
    await speak("end", "unasked");
    root.append(...troubleNodes(texts, error, { onTry: reload }));
  }
}

async function deliverWaiting() {
  if (missingParts(globalThis).length) {
    return;
  }
  await speak("end", "rare");
  const post = new Post({ survey: started.address.survey, url: submissionsOf(state.server), texts, onAnnouncement: () => {} });
  const entering = new Attempt(() => post.seal.enter());
  if ((await entering.within(PATIENCE)) === "waiting") {
    await post.deliverFound((nodes) => root.replaceChildren(...nodes));
  }
}

/** Show a state without a separate page: not yet open, or unknown. */
async function stateScreen() {
  await speak("unasked");
  if (state.state === "planned") {
    const { opens, time_zone: zone } = state;
    tell(texts.planned_title, opens && fill(texts.planned_at, { time: opens.replace("T", " "), time_zone: zone }), texts.planned);
  } else {
    tell(texts.missing_title, texts.missing);
    // The survey may have been deleted since someone answered here.
    await deliver();
  }
}

async function refused(name) {
  if (name !== "unreached") {
    await speak("unasked");
  }
  tell(texts[`${name}_title`], texts[name]);
  // Do not offer to try again for another survey or inside a frame: the result would be the same.
  if (name === "unreached" || name === "forged") {
    root.append(button(texts.try_again, reload));
  }
}

async function open() {
  Object.assign(texts, (await started.first.catch(() => sentences("first", own))).texts);
  dress(own, texts);
  try {
    state = await started.state.catch(() => patiently(() => stateOf(started.address)));
  } catch {
    await refused("unreached");
    return;
  }
  // A closed or missing survey's page must not be framed either; only the builder frames a draft, which can send nothing.
  if (window.top !== window && !state.preview) {
    await refused("framed");
  } else if (state.state === "closed") {
    await ended();
  } else if (state.state !== "open") {
    await stateScreen();
  } else if (missingParts(globalThis).length) {
    tell(texts.unable_title, fill(texts.unable, { parts: missingParts(globalThis).join(", ") }));
  } else {
    await ask();
  }
}

async function ask() {
  let page = null;
  try {
    page = await pageOf(started.address, state, window.location.hash);
  } catch (error) {
    if (!(error instanceof NotThis)) {
      throw error;
    }
    await refused(error.sentences);
    await deliver();
    return;
  }
  root.replaceChildren();
  surround(started.address, page, texts);
  await respond(page, submissionsOf(state.server));
}

/** Show what went wrong before the survey. */
async function fail(error) {
  let told = error;
  if (isStorage(error)) {
    await speak("end", "unasked").catch((missing) => (told = missing));
  }
  const kind = troubleOf(told);
  tell(texts[`${kind}_title`], texts[kind], isStorage(told) && texts.nothing_sent);
  root.append(button(texts.try_again, reload));
}

// Without any texts, the page keeps what it says before its program runs.
open().catch((error) => texts.try_again && fail(error));
