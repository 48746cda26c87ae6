/**
 * The respondents' client: one for all surveys and languages. It asks how the survey at its address stands, checks what it
 * gets against the digests, and shows what can be shown; a survey that is open is then asked.
 */

import { dress, surround, tell } from "./around.js";
import { NotThis, pageOf } from "./documents.js";
import { button, fill } from "./dom.js";
import { Post } from "./post.js";
import { respond } from "./respond.js";
import { missingParts } from "./seal.js";
import { ownLanguage, sentences, started } from "./start.js";

const root = document.getElementById("root");
const own = ownLanguage(started.address.language);
const texts = {};
/** How the survey stands, once it is known. @type {SurveyState | null} */
let state = null;

/** Where sealed bodies go: to the server that the host of this page names, or to this one. */
const submissionsOf = (server) => `${server}/api/submissions`;

/** What few people read: where a survey is not asked. */
async function speak(...parts) {
  for (const part of parts) {
    const { texts: said, instead } = await sentences(part, own);
    Object.assign(texts, said, state?.by_invitation && instead.by_invitation);
  }
}

/** A survey that takes no new answers: one that was sealed in time may still be on its way. */
async function ended() {
  await speak("unasked");
  const { title, takes_late: takesLate } = state;
  const named = title[own] ?? Object.values(title)[0];
  tell(fill(texts.ended_title, { title: named }), takesLate ? texts.ended_late : texts.ended);
  document.title = named;
  await deliver();
}

/** Send what waits on this device, if something does. */
async function deliver() {
  if (missingParts(globalThis).length) {
    return;
  }
  await speak("end", "rare");
  const { survey, server } = state;
  const post = new Post({ survey, url: submissionsOf(server), texts, onAnnouncement: () => {} });
  if ((await post.seal.enter()) === "waiting") {
    await post.deliverFound((nodes) => root.replaceChildren(...nodes));
  }
}

/** What has no page of its own to show. */
async function stateScreen() {
  await speak("unasked");
  if (state.state === "planned") {
    const { opens, time_zone: zone } = state;
    tell(texts.planned_title, opens && fill(texts.planned_at, { time: opens.replace("T", " "), time_zone: zone }), texts.planned);
  } else {
    tell(texts.missing_title, texts.missing);
  }
}

async function refused(name) {
  if (name !== "unreached") {
    await speak("unasked");
  }
  tell(texts[`${name}_title`], texts[name]);
  // Of another survey, and inside another page, the same comes again.
  if (name === "unreached" || name === "forged") {
    root.append(button(texts.try_again, () => window.location.reload()));
  }
}

async function open() {
  Object.assign(texts, (await started.first).texts);
  dress(own, texts);
  try {
    state = await started.state;
  } catch {
    await refused("unreached");
    return;
  }
  // Around a page that asks nothing anybody may stand, and the builder around a draft, which can send nothing.
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

open().catch((error) => tell(texts.broken_title, fill(texts.broken, { error: error.message })));
