/** A survey that is open: the phases of a visit, and events of the browser that concern all of them. */

import { el } from "./dom.js";
import { namedDigest } from "./fragment.js";
import { Opening } from "./opening.js";
import { Visit } from "./visit.js";

const visit = new Visit();

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#languages a");
  const { phase, root, texts } = visit;
  const isAsking = phase?.speakAs && phase.hasAnswers;
  if (link && isAsking) {
    event.preventDefault();
    phase.speakAs(link.lang).catch(() => root.prepend(el("p", { class: "error", role: "alert" }, texts.language_failed)));
  } else if (link && window.location.hash) {
    // Keep the fragment, which is valid in any language.
    event.preventDefault();
    window.location.assign(`${link.href}${window.location.hash}`);
  }
});

/** A link to this page that is opened in this very tab may name another survey. */
window.addEventListener("hashchange", (event) => {
  const [before, now] = [event.oldURL, event.newURL].map((url) => namedDigest(new URL(url).hash));
  if (before !== now) {
    event.stopImmediatePropagation();
    window.location.reload();
  }
});

window.addEventListener("beforeunload", (event) => {
  if (visit.phase?.hasWork) {
    event.preventDefault();
  }
});

window.addEventListener("pagehide", () => {
  visit.enter(null);
  visit.root.replaceChildren();
});
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());

/**
 * @param {Page} page
 * @param {string} url address for sealed bodies
 */
export async function respond(page, url) {
  visit.page = page;
  const opening = new Opening(visit, url);
  visit.enter(opening);
  await opening.begin();
}
