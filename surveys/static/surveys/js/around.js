/** The parts around the screens: the survey's name, its other languages, and a warning in practice surveys. */

import { el } from "./dom.js";
import { addressIn, dress } from "./start.js";

/** Put a node before `next`, replacing the element that matches a selector; no node only removes that. */
function put(selector, node, next) {
  document.querySelector(selector)?.remove();
  if (node) {
    next.before(node);
  }
}

/** Add a survey's texts to the page. @param {Address} address @param {Page} page @param {Record<string, string>} texts */
export function surround(address, { title, language, own, direction, practice, state, sentences }, shipped) {
  const texts = { ...shipped, ...sentences?.texts };
  dress(sentences ? language : own, texts);
  document.documentElement.dir = direction;
  document.title = title;
  const root = document.getElementById("root");
  root.removeAttribute("data-words");
  if (language !== own && !sentences) {
    root.dataset.words = language;
  }
  const banner = el("div", { class: "wrap" }, texts.practice_text);
  put(".banner", practice && el("aside", { class: "banner", "aria-label": texts.practice }, banner), document.querySelector(".masthead"));
  put("h1", el("h1", { class: "survey-name", lang: language }, title), root);
  const links = state.languages
    .filter(({ tag }) => tag !== language)
    .map(({ tag, name: spoken, direction: dir }) => el("a", { href: addressIn(address, tag), lang: tag, dir, hreflang: tag }, spoken));
  const nav = el("nav", { class: "languages row", id: "languages", "aria-label": texts.languages }, ...links);
  put("#languages", links.length && !state.preview && nav, root);
}

/** Show a page without questions. @param {string} title @param {string[]} lines */
export function tell(title, ...lines) {
  const root = document.getElementById("root");
  document.title = title;
  put("h1", el("h1", {}, title), root);
  root.replaceChildren(...lines.filter(Boolean).map((line) => el("p", {}, line)));
}
