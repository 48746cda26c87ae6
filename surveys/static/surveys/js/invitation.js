/**
 * Invitations. A code comes after the "#" of the address, which browsers never send to a server, or respondents type it.
 * It is sent once, inside the sealed answer. Until then the open tab stores a code from an address, so that respondents need
 * not enter it after a reload.
 */

import { codeTyped } from "./code.js";
import { button, el } from "./dom.js";
import { codeIn } from "./code-in.js";
import { outcomeNodes } from "./parts.js";
import { heading } from "./said.js";
import { randomHex } from "./seal.js";

/**
 * Remove the code from the address, so that it is neither visible nor in this entry of the session history.
 *
 * @param {Window} target
 * @returns {{code: string | null, isWrong: boolean}} isWrong: the address had something else in place of a code
 */
export function takeCode({ location, history, document }) {
  const { text, rest } = codeIn(location.hash);
  if (!text || document.getElementById(text)) {
    return { code: null, isWrong: false };
  }
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest}`);
  const code = codeTyped(text);
  return { code, isWrong: code === null };
}

/**
 * Stores a survey's code for this tab, if the window has storage. A browser may leave data on disk after it is erased, so
 * this is only for codes from an address, which are in the browsing history anyway.
 */
export class KeptCode {
  #key;

  /** @param {string} survey */
  constructor(survey) {
    this.#key = `sottovoce-code-${survey}`;
  }

  /** @returns {{code: string} | null} */
  read() {
    return JSON.parse(this.#try((storage) => storage.getItem(this.#key)) ?? "null");
  }

  /** @param {string} code */
  keep(code) {
    this.#try((storage) => storage.setItem(this.#key, JSON.stringify({ code })));
  }

  erase() {
    this.#try((storage) => storage.removeItem(this.#key));
  }

  #try(use) {
    try {
      return use(window.sessionStorage);
    } catch {
      return null;
    }
  }
}

/**
 * The screen that asks for the code.
 *
 * @param {object} scene
 * @param {Record<string, string>} scene.texts
 * @param {boolean} scene.isWrong whether the address had something else in place of a code
 * @param {(code: string, isTyped: boolean) => void} scene.onCode
 */
export function codeScreen({ texts, isWrong, onCode }) {
  const end = (code, isTyped) => {
    window.removeEventListener("hashchange", late);
    onCode(code, isTyped);
  };
  // Opening the invitation in this very tab only changes the fragment.
  const late = () => {
    const { code } = takeCode(window);
    if (code) {
      end(code, false);
    }
  };
  window.addEventListener("hashchange", late);
  const { field, go } = codeField({ texts, isWrong, onCode: (code) => end(code, true) });
  return [
    heading(texts.code_title),
    el("p", {}, texts.code_text),
    field,
    el("div", { class: "row actions" }, button(texts.continue, go)),
  ];
}

/**
 * A typed code was refused. Ask for the right one and send the same body with it, or erase the body.
 *
 * @param {Outcome} outcome
 * @param {object} parts
 * @param {Record<string, string>} parts.texts
 * @param {(nodes: Node[]) => void} parts.tell
 * @param {Promise<void>} parts.heard settles when another page seals or finishes the body
 * @param {Seal} parts.seal
 * @param {(refused: Outcome) => Promise<void>} parts.erase
 * @param {boolean} parts.isInPage
 * @returns {Promise<string | null>} the new request; null if the body was erased, or another page was faster
 */
export async function putRight({ kind: _, text, ...refusal }, { texts, tell, heard, seal, erase, isInPage }) {
  const asked = new Promise((onCode) => {
    const { field, go } = codeField({ texts, isWrong: false, onCode });
    const drop = button(texts.erase, () => onCode(null), "button button--plain");
    const row = el("div", { class: "row actions" }, button(texts.send_again, go), drop);
    const kept = isInPage ? texts.in_page_ended : texts.mistyped_kept;
    tell([heading(texts.uninvited_title), el("p", {}, texts.mistyped), el("p", {}, kept), field, row]);
  });
  const code = await Promise.race([asked, heard]);
  if (code) {
    tell(outcomeNodes(texts, "sending"));
    // If writing to disk fails, the old code stays. It will be refused again, and the page will ask again.
    return seal.putRight(text, code).catch(() => null);
  }
  if (code === null) {
    await erase({ ...refusal, kind: "refused" });
  }
  return null;
}

/** The field for a code, and the function that reads it. */
function codeField({ texts, isWrong, onCode }) {
  const error = el("p", { class: "error", id: "error", hidden: !isWrong }, isWrong && texts.code_wrong_address);
  const input = el("input", {
    type: "text",
    id: "code",
    name: `n${randomHex(8)}`,
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
  const field = el(
    "div",
    { class: "field" },
    el("label", { for: "code" }, texts.code_label),
    el("p", { class: "hint", id: "hint" }, texts.code_hint),
    error,
    input,
  );
  return { field, go };
}
