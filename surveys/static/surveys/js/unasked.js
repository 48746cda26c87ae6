/** What the page shows if it does not ask the survey: why not, and an answer to it that waits on this device. */

import { tell } from "./around.js";
import { pageOf, spoken } from "./documents.js";
import { button, fill, pageLanguage } from "./dom.js";
import { listed } from "./joints.js";
import { Post } from "./post.js";
import { missingParts } from "./seal.js";
import { dress, started } from "./start.js";
import { Attempt, troubleNodes } from "./trouble.js";

/** Milliseconds for the storage to respond. */
const PATIENCE = 2_000;

/**
 * @typedef {{state: SurveyState, own: string, texts: Record<string, string>, speak: (voice: string, ...parts: string[]) => Promise<void>,
 *   url: string, reload: () => void}} Unasked own: the language of the interface; url: address for sealed bodies
 */

/**
 * Show why a survey is not asked.
 * @param {Unasked} unasked
 * @param {"framed" | "unable" | "other" | "forged" | "unreached" | undefined} refused unreached: the page already says so
 */
export async function showUnasked(given, refused) {
  const unasked = speaking(given, await voiceIn(given, refused));
  if (refused !== "unreached") {
    await tellWhy(unasked, refused);
  }
  // An unknown survey may have been deleted since someone answered here.
  if (refused !== "framed" && unasked.state.state !== "planned") {
    await deliver(unasked);
  }
}

/**
 * What the survey says about our sentences: its form of address, and its own sentences. Those of a closed survey are checked as if
 * it were open. Warnings about what arrived, or about this browser, stay in our sentences: whoever sent something else could
 * word its warning, too.
 * @param {Unasked} unasked @returns {Promise<Partial<Page>>} empty without any
 */
async function voiceIn({ state }, refused) {
  try {
    if (state.state === "closed" && !refused) {
      return await pageOf(started.address, state, window.location.hash);
    }
    const said = spoken(JSON.parse(state.words));
    return refused ? { voice: said.voice } : said;
  } catch {
    return {};
  }
}

/** The same, but each part is loaded in the survey's voice. @param {Unasked} unasked @param {Partial<Page>} voice @returns {Unasked} */
function speaking(unasked, { voice = unasked.own, sentences, language, direction }) {
  const { texts, own, state } = unasked;
  const speak = async (...parts) => {
    await unasked.speak(voice, "first", ...parts);
    Object.assign(texts, sentences?.texts, state.by_invitation && sentences?.instead.by_invitation);
    dress(sentences ? language : own, texts);
    document.documentElement.dir = (sentences && direction) || document.documentElement.dir;
  };
  return { ...unasked, speak };
}

async function tellWhy(unasked, refused) {
  const { state, texts } = unasked;
  await unasked.speak("unasked");
  if (refused === "unable") {
    tell(texts.unable_title, fill(texts.unable, { parts: listed(missingParts(globalThis)) }));
  } else if (refused) {
    tell(texts[`${refused}_title`], texts[refused]);
    // Do not offer to try again for another survey or inside a frame: the result would be the same.
    if (refused === "forged") {
      document.getElementById("root").append(button(texts.try_again, unasked.reload));
    }
  } else if (state.state === "closed") {
    ended(unasked);
  } else if (state.state === "planned") {
    const { opens, time_zone: zone } = state;
    // The time is that of the survey's zone, which the text names.
    const written = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" });
    const time = opens && written.format(new Date(`${opens}Z`));
    tell(texts.planned_title, opens && fill(texts.planned_at, { time, time_zone: zone }), texts.planned);
  } else {
    tell(texts.missing_title, texts.missing);
  }
}

/** The survey is over. */
function ended({ state: { title, takes_late: takesLate }, own, texts }) {
  const named = title[started.address.language] ?? title[own] ?? Object.values(title)[0];
  tell(fill(texts.ended_title, { title: named }), takesLate ? texts.ended_late : texts.ended);
  document.title = named;
}

/** Deliver an answer that waits on this device, if there is one, or say why that cannot be known. */
async function deliver(unasked) {
  try {
    await deliverWaiting(unasked);
  } catch (error) {
    await unasked.speak("end", "unasked");
    document.getElementById("root").append(...troubleNodes(unasked.texts, error, { onTry: unasked.reload }));
  }
}

async function deliverWaiting({ texts, url, speak }) {
  if (missingParts(globalThis).length) {
    return;
  }
  await speak("end", "invited");
  const post = new Post({ survey: started.address.survey, url, texts, onAnnouncement: () => {} });
  const entering = new Attempt(() => post.seal.enter());
  if ((await entering.within(PATIENCE)) === "waiting") {
    await post.deliverFound((nodes) => document.getElementById("root").replaceChildren(...nodes));
  }
}
