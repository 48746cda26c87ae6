/**
 * What happens before the rest of the program has loaded: it reads the address, removes from it what others added, requests the
 * survey, and loads the interface texts in the language of the address. It imports nothing, so that it runs at once.
 */

/** The languages of all pages, with which addresses begin; the first one stands for others. */
const PAGES = ["en", "zh-hans"];
/**
 * The languages of texts for respondents; `client_program.py` adds those that only respondents read, and the other forms of
 * address, such as "de-informal".
 */
const OWN = [...PAGES];
/** Servers that a page on another host may use. */
const SERVER = /^https:\/\/[^/?#@]+$|^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** The file with the rest of the program. */
const PROGRAM = "client";

/** The digest of the whole program, which is in the address of each of its files. */
export const digest = import.meta.url.split("/").at(-2);

/** The language of our texts for a survey in this language, which may name a region, such as "de-at". @param {string} language */
export const ownLanguage = (language, languages = OWN) =>
  [
    language,
    language
      .replace(/^zh-(tw|hk|mo)$/, "zh-hant")
      .replace(/-([a-z]{2}|\d{3})$/, "")
      .replace(/^zh$/, "zh-hans"),
  ].find((each) => languages.includes(each)) ?? OWN[0];

/** The end of the names of our files: the language, in its other form of address if the survey uses it. @param {string} own @param {string | false} [form] @param {string[]} [known] */
export const voiceOf = (own, form, known = OWN) => known.find((each) => each === `${own}-${form}`) ?? own;

/**
 * The survey and its language: /LANGUAGE/s/SURVEY/, followed by a language that the interface does not have, or
 * ?s=SURVEY&l=LANGUAGE on a host that only serves files.
 * @param {{pathname: string, search: string}} location
 * @returns {Address}
 */
export function addressOf({ pathname, search }) {
  const [, first, named, further] = /^\/([a-z-]+)\/s\/([-\w]+)\/(?:([-\w]+)\/)?$/.exec(pathname) ?? [];
  const asked = new URLSearchParams(search);
  // A bracket or a full stop behind a pasted link is not meant.
  const meant = (name) => /^[-\w]+/.exec(asked.get(name) ?? "")?.[0];
  const language = further ?? first ?? meant("l") ?? OWN[0];
  return { isPath: named !== undefined, survey: named ?? meant("s") ?? "", language };
}

/**
 * Remove everything else after "?" from the address: panels and social networks add numbers that stand for a person.
 * @param {{history: History, location: Location}} target
 */
export function tidy({ history, location }) {
  const { pathname, search, hash } = location;
  const address = addressOf(location);
  const meant = address.isPath ? {} : { s: address.survey, l: address.language };
  if ([...new URLSearchParams(search)].some(([name, value]) => meant[name] !== value)) {
    history.replaceState(history.state, "", `${pathname}${address.isPath ? "" : addressIn(address, address.language)}${hash}`);
  }
}

/** The address of the same survey in another language. @param {Address} address @param {string} language */
export function addressIn({ isPath, survey }, language) {
  const isPage = PAGES.includes(language);
  return isPath ? `/${isPage ? language : PAGES[0]}/s/${survey}/${isPage ? "" : `${language}/`}` : `?s=${survey}&l=${language}`;
}

/** @param {string} url @param {RequestInit} [more] @returns {Promise<string>} the text at this address */
export async function get(url, more) {
  const answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error", ...more });
  if (!answer.ok && answer.status !== 404) {
    throw new Error(String(answer.status));
  }
  return answer.text();
}

/** @returns {Promise<SurveyState>} */
async function stateFrom(server, { survey, language }) {
  const state = JSON.parse(await get(`${server}/client/surveys/${encodeURIComponent(survey)}?language=${language}`));
  if (!state.state) {
    throw new Error("no state");
  }
  // Only a page itself can contain a preview, never a server's response.
  return { ...state, server, preview: false };
}

/** The server that this page's host names; from now on the page can reach only this server. */
async function serverNamed() {
  const { server } = JSON.parse(await get("/config.json"));
  if (!SERVER.test(server)) {
    throw new Error("names no server");
  }
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src ${server}`;
  document.head.append(policy);
  return server;
}

/** The server that this page's host has named. */
let named = null;

/** Request the state of the survey. @param {Address} address @returns {Promise<SurveyState>} */
export async function stateOf(address) {
  // A host that only serves files under our paths will not return a state, so try the named server.
  const here = address.isPath && !named && (await stateFrom("", address).catch(() => null));
  return here || stateFrom((named ??= await serverNamed()), address);
}

/** Set the page to a language of the interface. @param {string} own @param {Record<string, string>} texts */
export function dress(own, texts) {
  Object.assign(document.documentElement, { lang: own, dir: /^(ar|fa)/.test(own) ? "rtl" : "ltr" });
  document.querySelector(".skip-link").textContent = texts.to_content;
}

/**
 * If the rest of the program does not arrive, load the page anew. If that does not help, say so.
 * @param {Window} target
 * @param {{address: Address, first: Promise<Sentences>}} begun
 */
export async function recover({ document, location, performance }, { address, first }) {
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  // Only once, and not in a frame: there, a page that was loaded anew looks like a new one.
  if (type === "navigate" && document.getElementById("documents") === null) {
    location.reload();
    return;
  }
  // Without any texts, the page keeps what it says before its program runs.
  const { texts } = await first;
  dress(ownLanguage(address.language), texts);
  const nodes = ["h1", "p", "button"].map((tag) => document.createElement(tag));
  ["unreached_title", "unreached", "try_again"].forEach((key, place) => nodes[place].append(texts[key]));
  nodes[2].className = "button";
  nodes[2].addEventListener("click", () => location.reload());
  document.getElementById("root").replaceChildren(...nodes);
}

/** Request a style sheet that did not arrive a second time, at another address. @param {Window} target */
export function dressAgain({ document, getComputedStyle }) {
  // Every browser has a margin here, and the style sheet has none.
  if (getComputedStyle(document.body).marginTop !== "0px") {
    document.querySelector('link[rel="stylesheet"]').href += "?1";
  }
}

/** @returns {{address: Address, state: Promise<SurveyState>, first: Promise<Sentences>}} */
export function begin() {
  // A preview is contained in the page itself.
  const looked = JSON.parse(document.getElementById("documents")?.textContent ?? "null");
  const address = looked ? { isPath: false, survey: looked.survey, language: looked.language } : addressOf(window.location);
  if (!looked) {
    tidy(window);
  }
  const state = looked ? Promise.resolve({ ...looked, server: "" }) : stateOf(address);
  return { address, state, first: import(`./first-${ownLanguage(address.language)}.js`) };
}

/** Begin, and see to it that the rest of the page arrives. @param {Window} target */
function start(target) {
  const begun = begin();
  // By now the page's own script element has requested the program and run it, if it arrived.
  target.addEventListener("load", () => {
    dressAgain(target);
    import(`./${PROGRAM}.js`).catch(() => recover(target, begun)).catch(String);
  });
  return begun;
}

export const started = typeof document === "undefined" ? null : start(window);
