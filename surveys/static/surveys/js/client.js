/**
 * The respondents' client, the same for all surveys and languages. It loads the state of the survey at its address, checks
 * documents against their digests, and shows the survey if it is open, or else why not.
 */

import { surround, tell } from "./around.js";
import { languageIn, NotThis, pageOf } from "./documents.js";
import { button } from "./dom.js";
import { respond } from "./respond.js";
import { part, patiently, sentences } from "./program.js";
import { missingParts } from "./seal.js";
import { dress, ownLanguage, started, stateOf } from "./start.js";
import { isStorage, troubleOf } from "./trouble.js";

const root = document.getElementById("root");
let own = ownLanguage(started.address.language);
const texts = {};
/** The survey's state, once it has been loaded. @type {SurveyState | null} */
let state = null;

const reload = () => window.location.reload();

/** The address for sealed bodies: on the server that this page's host names, or on this one. */
const submissions = () => `${state.server}/api/submissions`;

/** Load texts that few people need, because they appear only if a survey is not asked. @param {string} voice */
async function speak(voice, ...parts) {
  for (const name of parts) {
    const { texts: said, instead } = await sentences(name, voice);
    Object.assign(texts, said, state?.by_invitation && instead.by_invitation);
  }
}

/** Show why the survey is not asked. @param {"framed" | "unable" | "other" | "forged" | "unreached"} [refused] */
async function unasked(refused) {
  const { showUnasked } = await part("unasked");
  await showUnasked({ state, own, texts, speak, url: submissions(), reload }, refused);
}

/** Nothing arrived, so nothing more can be loaded either. */
function unreached() {
  tell(texts.unreached_title, texts.unreached);
  root.append(button(texts.try_again, reload));
}

async function open() {
  Object.assign(texts, (await started.first.catch(() => sentences("first", own))).texts);
  dress(own, texts);
  try {
    state = await started.state.catch(() => patiently(() => stateOf(started.address)));
  } catch {
    unreached();
    return;
  }
  own = ownLanguage(languageIn(state, started.address.language));
  // A closed or missing survey's page must not be framed either; only the builder frames a draft, which can send nothing.
  if (window.top !== window && !state.preview) {
    await unasked("framed");
  } else if (state.state !== "open") {
    await unasked();
  } else if (missingParts(globalThis).length) {
    await unasked("unable");
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
    if (error.sentences === "unreached") {
      unreached();
    }
    await unasked(error.sentences);
    return;
  }
  root.replaceChildren();
  surround(started.address, page, (await sentences("first", page.voice)).texts);
  await respond(page, submissions());
}

/** Show what went wrong before the survey. */
async function fail(error) {
  let told = error;
  if (isStorage(error)) {
    await speak(own, "end", "unasked").catch((missing) => (told = missing));
  }
  const kind = troubleOf(told);
  tell(texts[`${kind}_title`], texts[kind], isStorage(told) && texts.nothing_sent);
  root.append(button(texts.try_again, reload));
}

// Without any texts, the page keeps what it says before its program runs.
open().catch((error) => texts.try_again && fail(error));
