/**
 * Where answers take an invitation: its code comes behind the "#" of the address, which no browser sends to a server,
 * or is typed. It is kept in memory and sent once, inside the sealed answer.
 */

import { codeTyped } from "./code.js";
import { button, el } from "./dom.js";
import { heading } from "./parts.js";

/**
 * Take the code out of the address, so that it stays neither in sight nor in this entry of the session history.
 *
 * @param {Window} target
 * @returns {{code: string | null, isWrong: boolean}} isWrong: something stood there that is no code
 */
export function takeCode({ location, history, document }) {
  const text = location.hash.slice(1).replaceAll("%20", " ");
  if (!text || document.getElementById(text)) {
    return { code: null, isWrong: false };
  }
  history.replaceState(history.state, "", location.pathname);
  const code = codeTyped(text);
  return { code, isWrong: code === null };
}

/**
 * The screen that asks for the code.
 *
 * @param {object} scene
 * @param {Record<string, string>} scene.texts
 * @param {string} scene.name random name of the control
 * @param {boolean} scene.isWrong whether the address held something that is no code
 * @param {(code: string) => void} scene.onCode
 */
export function codeScreen({ texts, name, isWrong, onCode }) {
  const error = el("p", { class: "error", id: "error", hidden: !isWrong }, isWrong && texts.code_wrong_address);
  const input = el("input", {
    type: "text",
    id: "code",
    name,
    class: "mono code",
    dir: "ltr",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "aria-describedby": "hint error",
    keydown: ({ key }) => key === "Enter" && go(),
  });
  const go = () => {
    const code = codeTyped(input.value);
    if (code) {
      onCode(code);
      return;
    }
    error.textContent = texts[input.value.trim() ? "code_wrong" : "code_empty"];
    error.hidden = false;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  return [
    heading(texts.code_title),
    el("p", {}, texts.code_text),
    el(
      "div",
      { class: "field" },
      el("label", { for: "code" }, texts.code_label),
      el("p", { class: "hint", id: "hint" }, texts.code_hint),
      error,
      input,
    ),
    el("div", { class: "row actions" }, button(texts.continue, go)),
  ];
}
