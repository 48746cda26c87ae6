/**
 * A survey as text: what is understood follows the text. The server reads it; without JavaScript a button does the same.
 * A problem leads to its line.
 */

const PAUSE = 300;

/** Where a line begins and ends in a text. @param {string} text @param {number} number from 1 */
export function lineAt(text, number) {
  const lines = text.split("\n");
  const before = lines.slice(0, number - 1);
  const from = before.reduce((sum, line) => sum + line.length + 1, 0);
  return { from, to: from + (lines[number - 1]?.length ?? 0) };
}

class Understood {
  constructor(form) {
    this.form = form;
    this.room = form.querySelector("[data-understood]");
    this.status = form.querySelector("[data-announce]");
    this.timer = 0;
    this.asked = null;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), PAUSE);
  }

  async now() {
    const body = new FormData(this.form);
    body.append("part", "1");
    this.asked?.abort();
    this.asked = new AbortController();
    let answer;
    try {
      answer = await fetch(location.href, { method: "POST", body, signal: this.asked.signal });
    } catch {
      return; // A newer text is asked about, or the network is away: what stands there stays.
    }
    if (answer.redirected || !(answer.ok || answer.status === 422)) {
      return; // Logged out: the text stays, and the button says the rest.
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.room.replaceChildren(...page.body.childNodes);
    this.status.textContent = this.room.querySelector("[data-said]")?.textContent ?? "";
  }
}

if (typeof document !== "undefined") {
  const form = document.querySelector(".text-start");
  const area = form.elements.pasted;
  const begun = area.defaultValue;
  let isSent = false;
  const understood = new Understood(form);
  form.addEventListener("input", () => understood.later());
  form.addEventListener("change", () => understood.later());
  if (area.value !== begun) {
    understood.now(); // Written before this script was here, or brought back by the browser.
  }
  form.addEventListener("submit", () => (isSent = true));
  form.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-line]");
    if (link) {
      event.preventDefault();
      const { from, to } = lineAt(area.value, Number(link.dataset.line));
      area.focus();
      area.setSelectionRange(from, to);
      area.scrollTop = (area.scrollHeight * (Number(link.dataset.line) - 3)) / area.value.split("\n").length;
    }
  });
  addEventListener("beforeunload", (event) => {
    if (!isSent && area.value !== begun) {
      event.preventDefault();
    }
  });
}
