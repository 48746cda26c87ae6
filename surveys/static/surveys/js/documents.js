/**
 * A survey's documents, each checked against its digest before anything in it is believed: the definition, which is the
 * survey that a link names, and its words in one language, whose digests the definition holds.
 */

import { isNamed } from "./digest.js";
import { namedDigest } from "./fragment.js";
import { hex } from "./seal.js";
import { get, ownLanguage } from "./start.js";

/** What arrived is not the survey that was asked for. */
export class NotThis extends Error {
  /** @param {"other" | "forged" | "unreached"} sentences the name of what is said */
  constructor(sentences) {
    super(sentences);
    this.name = "NotThis";
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
 * The root that a link means: that of now, or of a version that the survey still lists.
 * @param {SurveyState} state
 * @param {string} hash of the page's address
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

const fetched = (url) =>
  get(url).catch(() => {
    throw new NotThis("unreached");
  });

/** @param {SurveyState} state @param {Definition} definition @param {string} language @returns {Promise<Words>} */
export async function wordsIn({ server, words, languages }, definition, language) {
  const tags = [language, ...languages.map(({ tag }) => tag), ...Object.keys(definition.words)];
  const digest = definition.words[tags.find((tag) => tag in definition.words)];
  // Those that came along are not tried twice: of another language they do not fit.
  const come = words && (await checked(words, digest).catch(() => null));
  return come || checked(await fetched(`${server}/client/words/${digest}`), digest);
}

/**
 * All that the page knows of a survey that can be answered.
 * @param {Address} address
 * @param {SurveyState} state
 * @param {string} hash
 * @returns {Promise<Page>}
 * @throws {NotThis}
 */
export async function pageOf(address, state, hash) {
  const root = rootMeant(state, hash);
  const { server } = state;
  const text = root === state.root ? state.definition : await fetched(`${server}/client/definitions/${root}`);
  const definition = await checked(text, root);
  const { design, key } = definition;
  if (key.survey !== address.survey) {
    throw new NotThis("other");
  }
  return { ...key, ...spoken(await wordsIn(state, definition, address.language), address.language), design, definition, root, state };
}

/** What of a page hangs on its language. @param {Words} words @param {string} asked the language that was asked for */
export function spoken({ blocks, yes, no, ...words }, asked) {
  return { explanations: undefined, ...words, own: ownLanguage(asked), wording: blocks, answers: { yes, no } };
}
