/**
 * What happens before the rest of the program has loaded: it reads the address, requests the survey, and loads the interface
 * texts in the language of the address. It imports nothing, so that it runs at once.
 */

/** The languages of the interface; the first one is used for surveys in other languages. */
const OWN = ["en", "zh-hans"];
/** Servers that a page on another host may use. */
const SERVER = /^https:\/\/[^/?#@]+$|^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** The digest of the whole program, which is in the address of each of its files. */
export const digest = import.meta.url.split("/").at(-2);

/** The language of the interface for a survey in this language. @param {string} language */
export const ownLanguage = (language) => (OWN.includes(language) ? language : OWN[0]);

/** Interface texts. @param {string} part "first", "later" or "scale", "end", "rare", "unasked" @param {string} language of the interface @returns {Promise<Sentences>} */
export const sentences = (part, language) => import(`./${part}-${language}.js`);

/**
 * The survey and its language: /LANGUAGE/s/SURVEY/, followed by a language that the interface does not have, or
 * ?s=SURVEY&l=LANGUAGE on a host that only serves files.
 * @param {{pathname: string, search: string}} location
 * @returns {Address}
 */
export function addressOf({ pathname, search }) {
  const [, first, named, further] = /^\/([a-z-]+)\/s\/([-\w]+)\/(?:([-\w]+)\/)?$/.exec(pathname) ?? [];
  const asked = new URLSearchParams(search);
  const language = further ?? first ?? asked.get("l") ?? OWN[0];
  return { isPath: named !== undefined, survey: named ?? asked.get("s") ?? "", language };
}

/** The address of the same survey in another language. @param {Address} address @param {string} language */
export function addressIn({ isPath, survey }, language) {
  const own = ownLanguage(language);
  return isPath ? `/${own}/s/${survey}/${own === language ? "" : `${language}/`}` : `?s=${survey}&l=${language}`;
}

/** @param {string} url @returns {Promise<string>} the text at this address */
export async function get(url) {
  const answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" });
  if (!answer.ok && answer.status !== 404) {
    throw new Error(String(answer.status));
  }
  return answer.text();
}

/** @returns {Promise<SurveyState>} */
async function stateFrom(server, { survey, language }) {
  const state = JSON.parse(await get(`${server}/client/surveys/${encodeURIComponent(survey)}?language=${language}`));
  if (!state.state) {
    throw new Error("no state of a survey");
  }
  // Only a page itself can contain a preview, never a server's response.
  return { ...state, server, preview: false };
}

/** The server that this page's host names; from now on the page can reach only this server. */
async function serverNamed() {
  const { server } = JSON.parse(await get("/config.json"));
  if (!SERVER.test(server)) {
    throw new Error("config.json names no server");
  }
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src ${server}`;
  document.head.append(policy);
  return server;
}

/** Request the state of the survey. */
async function ask(address) {
  // A host that only serves files under our paths will not return a state, so try the named server.
  const here = address.isPath && (await stateFrom("", address).catch(() => null));
  return here || stateFrom(await serverNamed(), address);
}

/** @returns {{address: Address, state: Promise<SurveyState>, first: Promise<Sentences>}} */
export function begin() {
  // A preview is contained in the page itself.
  const looked = JSON.parse(document.getElementById("documents")?.textContent ?? "null");
  const address = looked ? { isPath: false, survey: looked.survey, language: looked.language } : addressOf(window.location);
  const state = looked ? Promise.resolve({ ...looked, server: "" }) : ask(address);
  return { address, state, first: sentences("first", ownLanguage(address.language)) };
}

export const started = typeof document === "undefined" ? null : begin();
