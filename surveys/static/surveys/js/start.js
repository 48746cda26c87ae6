/**
 * What begins before the rest of the program is here: the address is read, the survey asked for, and Sottovoce's sentences
 * fetched in the language of the address. It imports nothing, so that it runs at once.
 */

/** The languages of Sottovoce's own sentences, the first one where a survey's is none of them. */
const OWN = ["en", "zh-hans"];
/** Servers that the page of another host may talk to. */
const SERVER = /^https:\/\/[^/?#@]+$|^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/;

/** The digest of the whole program: it stands in the address of each of its files. */
export const digest = import.meta.url.split("/").at(-2);

/** The language of Sottovoce's sentences around those of a survey. @param {string} language */
export const ownLanguage = (language) => (OWN.includes(language) ? language : OWN[0]);

/** Sottovoce's sentences. @param {string} part "first", "later" or "scale", "end", "rare", "unasked" @param {string} language one of its own @returns {Promise<Sentences>} */
export const sentences = (part, language) => import(`./${part}-${language}.js`);

/**
 * The survey and its language: /LANGUAGE/s/SURVEY/, a language that Sottovoce has not behind that, or
 * ?s=SURVEY&l=LANGUAGE on a host that hands out files and no more.
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

/** @param {string} url @returns {Promise<string>} the text that is there */
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
  // A preview stands in the page: no server makes one of a survey.
  return { ...state, server, preview: false };
}

/** The server that the host of this page names beside it; from here on the page reaches that one and no other. */
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

/** How the survey stands. */
async function ask(address) {
  // A host of files that answers at our addresses finds out by asking that it has no surveys.
  const here = address.isPath && (await stateFrom("", address).catch(() => null));
  return here || stateFrom(await serverNamed(), address);
}

/** @returns {{address: Address, state: Promise<SurveyState>, first: Promise<Sentences>}} */
export function begin() {
  // What is looked at before it is published stands in the page itself.
  const looked = JSON.parse(document.getElementById("documents")?.textContent ?? "null");
  const address = looked ? { isPath: false, survey: looked.survey, language: looked.language } : addressOf(window.location);
  const state = looked ? Promise.resolve({ ...looked, server: "" }) : ask(address);
  return { address, state, first: sentences("first", ownLanguage(address.language)) };
}

export const started = typeof document === "undefined" ? null : begin();
