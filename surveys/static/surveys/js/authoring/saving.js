/** Between the autosave and the page: fetching, and saying how it goes. */

import { button, el, fill } from "../dom.js";

/** Who reads and writes drafts at the server. */
export class Server {
  /** @param {Record<string, string>} urls @param {string} token */
  constructor(urls, token) {
    this.urls = urls;
    this.token = token;
  }

  /** @returns {Promise<{status: number, body: any}>} 401 where the server asks to log in */
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

  save(document, revision) {
    return this.post(this.urls.save, { document, revision });
  }

  /** After a new log-in the token is another one: this page, loaded again, has it. */
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
 * The line that says whether all is saved, and what to do where it is not.
 * @param {HTMLElement} line role="status"
 * @param {HTMLElement} room for what needs a decision
 * @param {{texts: Record<string, string>, act: Record<string, () => void>}} given
 */
export function savingLine(line, room, { texts, act }) {
  const shown = (text) => {
    if (line.textContent !== text) {
      line.textContent = text;
    }
  };
  const note = (title, text, ...buttons) => {
    room.replaceChildren(
      el(
        "div",
        { class: "note note--warn stack", role: "alert" },
        el("p", {}, el("strong", {}, title), " ", text),
        el("div", { class: "row" }, ...buttons),
      ),
    );
  };
  return (state, detail) => {
    line.dataset.state = state;
    shown(texts[`state_${state}`]);
    const again = () => button(texts.save_now, act.saveNow, "button button--plain");
    if (state === "conflict") {
      note(
        texts.conflict_title,
        fill(texts.conflict, { who: detail.saved_by || "?" }),
        button(texts.conflict_mine, act.keepMine),
        button(texts.conflict_theirs, act.takeTheirs, "button button--plain"),
      );
    } else if (state === "logged_out") {
      const logIn = el("a", { class: "button", href: window.location.href, target: "_blank", rel: "noopener" }, texts.log_in);
      note(texts.logged_out_title, texts.logged_out, logIn, again());
    } else if (state === "refused") {
      const said = [detail?.message, detail?.remedy].filter(Boolean).join("; ");
      note(texts.refused_title, fill(texts.refused, { said: said || "?" }), again());
    } else if (state === "away") {
      note(texts.away_title, texts.away, again());
    } else if (state !== "saving") {
      room.replaceChildren();
    }
  };
}
