/** Connects the autosave to the page: sends requests, and shows the state. */

import { button, el, fill } from "../dom.js";

/** Reads and writes drafts on the server. */
export class Server {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }

  /** @returns {Promise<{status: number, body: any}>} 401 if the server requires a login */
  async post(url, content) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": this.token },
      body: JSON.stringify(content),
      redirect: "manual",
    });
    if (response.type === "opaqueredirect") {
      return { status: 401, body: {} };
    }
    return { status: response.status, body: await response.json().catch(() => ({})) };
  }

  /** Get the new token after a new log-in, by loading this page again. */
  async renewToken() {
    const response = await fetch(window.location.href, { redirect: "manual" }).catch(() => null);
    if (response?.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const data = page.getElementById("builder-data");
      this.token = data ? JSON.parse(data.textContent).csrf : this.token;
    }
  }
}

/**
 * The line that says whether everything is saved, and what to do if not.
 * @param {HTMLElement} line role="status"
 * @param {HTMLElement} pane for decisions that the user must make
 * @param {{texts: Record<string, string>, act: Record<string, () => void>}} given
 */
export function savingLine(line, pane, { texts, act }) {
  const again = () => button(texts.save_now, act.saveNow, "button button--plain");
  const logIn = () => el("a", { class: "button", href: window.location.href, target: "_blank", rel: "noopener" }, texts.log_in);
  const theirs = () => button(texts.conflict_theirs, act.takeTheirs, "button button--plain");
  const buttons = {
    conflict: () => [button(texts.conflict_mine, act.keepMine), theirs()],
    logged_out: () => [logIn(), again()],
    refused: () => [again()],
    away: () => [again()],
  };
  return (state, detail) => {
    line.dataset.state = state;
    const text = texts[`state_${state}`];
    if (line.textContent !== text) {
      line.textContent = text;
    }
    if (state in buttons) {
      const said = [detail?.message, detail?.remedy].filter(Boolean).join("; ") || "?";
      const words = fill(texts[state], { who: detail?.saved_by || "?", said });
      const title = el("p", {}, el("strong", {}, texts[`${state}_title`]), " ", words);
      const row = el("div", { class: "row" }, ...buttons[state]());
      pane.replaceChildren(el("div", { class: "note note--warn stack", role: "alert" }, title, row));
    } else if (state !== "saving") {
      pane.replaceChildren();
    }
  };
}
