/**
 * A survey's documents, each checked against its digest before it is used. A link names the digest of the definition, and
 * the definition has the digests of its texts, one for each language.
 */

import { isNamed } from "./digest.js";
import { namedDigest } from "./fragment.js";
import { patiently } from "./program.js";
import { hex } from "./seal.js";
import { get, ownLanguage, voiceOf } from "./start.js";

/** What arrived is not the survey that the address names. */
export class NotThis extends Error {
  /** @param {"other" | "forged" | "unreached"} sentences key of the texts to show */
  constructor(sentences) {
    super(sentences);
    this.sentences = sentences;
  }
}

/** @param {string} text @param {string} digest SHA-256 in hex @throws {NotThis} */
export async function checked(text, digest) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  if (hex(new Uint8Array(found)) !== digest) {
    throw new NotThis("forged");
  }
  return JSON.parse(text);
}

/**
 * The root that a link names: the current version, or one that the survey still lists.
 * @param {SurveyState} state
 * @param {string} hash fragment of the page's address
 * @throws {NotThis}
 */
export function rootMeant({ root, versions = [root] }, hash) {
  const named = namedDigest(hash);
  const meant = named === null ? root : versions.find((each) => isNamed(each, named));
  if (!meant) {
    throw new NotThis("other");
  }
  return meant;
}

/** The document with a digest. If it does not arrive whole, it is requested again, and not taken from a cache. */
const fetched = (url, digest) =>
  patiently(async (isAgain) => {
    const text = await get(url, isAgain ? { cache: "reload" } : {}).catch(() => {
      throw new NotThis("unreached");
    });
    return checked(text, digest);
  });

/** @param {SurveyState} state @param {Definition} definition @param {string} language @returns {Promise<Words>} */
export async function wordsIn({ server, words, languages }, definition, language) {
  const tags = [language, ...languages.map(({ tag }) => tag), ...Object.keys(definition.words)];
  const digest = definition.words[tags.find((tag) => tag in definition.words)];
  // Texts that came with the page are used if they fit; those of another language do not.
  const come = words && (await checked(words, digest).catch(() => null));
  return come || fetched(`${server}/client/words/${digest}`, digest);
}

/** The language to speak about a survey: the requested one, or the first one of a survey that does not have it. @param {SurveyState} state @param {string} asked */
export const languageIn = ({ languages = [] }, asked) => [...languages.map(({ tag }) => tag).filter((tag) => tag === asked), languages[0]?.tag, asked].find(Boolean);

/**
 * Everything that the page needs to ask a survey.
 * @param {Address} address
 * @param {SurveyState} state
 * @param {string} hash
 * @returns {Promise<Page>}
 * @throws {NotThis}
 */
export async function pageOf(address, state, hash) {
  const root = rootMeant(state, hash);
  const { server } = state;
  const isCurrent = root === state.root;
  const definition = await (isCurrent ? checked(state.definition, root) : fetched(`${server}/client/definitions/${root}`, root));
  const { design, key } = definition;
  if (key.survey !== address.survey) {
    throw new NotThis("other");
  }
  return { ...key, ...spoken(await wordsIn(state, definition, address.language)), design, definition, root, state };
}

/**
 * The language-dependent part of a page. Our texts are in the language of the survey's, which may not be the requested one: privacy
 * sentences that a respondent of this survey cannot read would be worth nothing.
 * @param {Words} words
 */
export function spoken({ blocks, yes, no, ...words }) {
  const own = ownLanguage(words.language);
  const voice = voiceOf(own, words.formality);
  // Where Django has no words, as for zh-tw, surveys state English answers. Our texts have better ones.
  const answers = yes === "Yes" ? {} : { yes, no };
  return { explanations: undefined, sentences: undefined, ...words, own, voice, wording: blocks, answers };
}
