/** Another language for the page that is open: its sentences and the survey's are fetched, answers stay where they are. */

/**
 * @param {string} url the same survey in the other language
 * @param {{root: string, texts: Record<string, string>, wording: object[]}} page what is spoken now; changed in place
 * @returns {Promise<HTMLElement[] | null>} the screens that come from the server; null where another version is there by now
 */
export async function speak(url, page) {
  const answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const other = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = JSON.parse(other.getElementById("page-data").textContent);
  if (found.root !== page.root) {
    return null;
  }
  const { documentElement: root } = document;
  const { lang, dir } = other.documentElement;
  Object.assign(root, { lang, dir });
  document.title = other.title;
  const [here, there] = [document, other].map((side) => side.getElementById("room"));
  delete here.dataset.words;
  Object.assign(here.dataset, there.dataset);
  for (const selector of [".skip-link", ".banner", ".survey-name", "#languages"]) {
    const spoken = other.querySelector(selector);
    document.querySelector(selector)?.replaceWith(...(spoken ? [document.adoptNode(spoken)] : []));
  }
  Object.assign(page.texts, found.texts);
  page.wording.splice(0, page.wording.length, ...found.wording);
  return Array.from(there.querySelectorAll("[data-intro]"), (intro) => document.adoptNode(intro));
}
