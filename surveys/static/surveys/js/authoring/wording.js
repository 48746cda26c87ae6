/**
 * Texts by language, and the languages of a survey, as pure functions on definitions.
 */

import { getAt, setAt } from "./paths.js";

/** Right-to-left scripts and languages, for tags unknown to the page. */
const FROM_THE_RIGHT = /^(ar|arc|az-arab|dv|fa|he|ku-arab|nqo|ps|sd|syr|ug|ur|yi)\b|-(adlm|arab|hebr|nkoo|rohg|syrc|thaa)\b/;

const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*$/;

/** @returns {string[]} the stated languages, else those of the title, else English */
export function languagesOf(document) {
  const stated = Array.isArray(document.languages) ? document.languages.filter((tag) => typeof tag === "string") : [];
  const titled = Object.keys(document.title ?? {});
  return [stated, titled, ["en"]].find((list) => list.length);
}

/** A language tag in the spelling of definitions, or null if invalid. @param {string} text */
export function readTag(text) {
  const tag = text.trim().toLowerCase().replaceAll("_", "-");
  return TAG.test(tag) ? tag : null;
}

/** @param {string} tag @returns {"ltr" | "rtl"} */
export function directionOf(tag) {
  if (/-latn\b/.test(tag)) {
    return "ltr";
  }
  return FROM_THE_RIGHT.test(tag) ? "rtl" : "ltr";
}

/**
 * Write a text in one language; an empty text is removed.
 * @param {any} document
 * @param {import("./paths.js").Path} path of the text by language
 * @param {string} language
 * @param {string} text
 * @param {{optional?: boolean}} [how] optional: remove the whole entry if no language has a text
 */
export function writeText(document, path, language, text, { optional = false } = {}) {
  const { [language]: _, ...others } = getAt(document, path) ?? {};
  const order = languagesOf(document);
  const texts = text.trim() ? { ...others, [language]: text } : others;
  const sorted = Object.fromEntries(
    Object.entries(texts).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)),
  );
  return setAt(document, path, optional && Object.keys(sorted).length === 0 ? undefined : sorted);
}

/** @param {any} document @param {string} tag */
export function addLanguage(document, tag) {
  const languages = languagesOf(document);
  return languages.includes(tag) ? document : { ...document, languages: [...languages, tag] };
}

/** Remove a language with all its texts, unless it is the last one. */
export function removeLanguage(document, tag) {
  const languages = languagesOf(document).filter((other) => other !== tag);
  if (languages.length === 0) {
    return document;
  }
  return { ...withoutLanguage(document, tag), languages };
}

/** Put a language first: readers who know none of the languages see the first one. */
export function putFirst(document, tag) {
  return { ...document, languages: [tag, ...languagesOf(document).filter((other) => other !== tag)] };
}

/**
 * Address people in one of the two forms of a language. Its sentences have to be read again.
 * @param {any} document @param {string} tag @param {"formal" | "informal"} form
 */
export function addressedAs(document, tag, form) {
  const next = { ...document, formality: { ...document.formality, [tag]: form } };
  const { [tag]: _, ...checks } = document.sentences?.checks ?? {};
  return document.sentences ? { ...next, sentences: { ...document.sentences, checks } } : next;
}

/** Texts that are removed if no language is left; other texts are reported as missing. */
const OPTIONAL = new Set(["formality", "help", "population", "frame", "undisguised", "unit"]);

/** Remove the texts of a language everywhere in the definition. */
function withoutLanguage(document, tag) {
  const isWording = (texts) => tag in texts && Object.values(texts).every((text) => typeof text === "string");
  const cut = (value, name) => {
    if (Array.isArray(value)) {
      return value.map((each) => cut(each));
    }
    if (value === null || typeof value !== "object") {
      return value;
    }
    const { [tag]: _, ...others } = value;
    if (isWording(value)) {
      return OPTIONAL.has(name) && Object.keys(others).length === 0 ? undefined : others;
    }
    const members = Object.entries(value).map(([key, inner]) => [key, cut(inner, key)]);
    return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
  };
  return cut(document);
}

/** The text in a language, else in the first language that has one, else an empty text. */
export function textIn(texts, language) {
  return texts?.[language] || Object.values(texts ?? {}).find(Boolean) || "";
}
