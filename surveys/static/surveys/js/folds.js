/** The folded parts of the first page, which load after everything that question 1 needs. */

import { allQuestions } from "./all-questions.js";
import { digestInPrint } from "./digest.js";
import { el, fill, plural } from "./dom.js";
import { broken } from "./intro.js";
import { wholeLabel } from "./odds-label.js";
import { wayOf } from "./own-group.js";
import { rotates } from "./rotation.js";
import { joined, spaced } from "./sentences.js";
import { digest } from "./start.js";
import { partOdds } from "./telling.js";

/** How sure anyone could become: from everything, then from each part. @param {Page} page @param {Record<string, string>} texts */
export function oddsFold(page, texts) {
  const { design, light, whole } = page;
  const isDirect = wayOf(design, design.group.policy !== "protected") === "direct";
  return [wholeLabel(texts, whole, isDirect, light), ...partOdds({ ...page, state: page, texts })];
}

/**
 * What the survey is for, what is kept, and what experts compare.
 * @param {Page} page @param {Record<string, string>} texts @param {boolean} isInPage whether answers will exist only in this page
 */
export const aboutFold = (page, texts, isInPage) => [
  aboutSurvey(page, texts),
  ...(rotates(page.design) ? [el("h3", {}, texts.all_questions), allQuestions(page, texts)] : []),
  el("h3", {}, texts.kept),
  kept(page, texts, isInPage),
  el("h3", {}, texts.experts),
  ...experts(page, texts),
];

/** What is stored, where, and for how long. */
function kept({ by_invitation: byInvitation, panel, state }, texts, isInPage) {
  const { delete_on: last, backup_days: days, server } = state;
  const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
  const backups = days ? fill(plural(texts, "kept_backup", days), { days }) : texts.kept_backup_unsaid;
  const hosts = { page: window.location.host, server: server && new URL(server).host };
  const lines = [
    texts.kept_last,
    last && joined([fill(texts.kept_until, { day: written.format(new Date(last)) }), backups]),
    byInvitation && texts.kept_code,
    panel && texts.kept_panel,
    isInPage ? texts.in_page_before : texts.kept_waiting,
    texts.kept_reload,
    server ? fill(texts.kept_elsewhere, hosts) : texts.kept_cookie,
  ];
  return el("ul", {}, ...lines.filter(Boolean).map((line) => el("li", {}, line)));
}

/** Texts about the survey that are not already shown above. */
function aboutSurvey({ about, language }, texts) {
  const names = ["purpose", "help", "contact", "ethics", "retention"].filter((key) => about[key]);
  const rows = names.flatMap((key) => [
    el("dt", {}, texts[`about_${key}`]),
    el("dd", { lang: language, dir: "auto" }, ...broken(about[key])),
  ]);
  return names.length > 0 && el("dl", { class: "about" }, ...rows);
}

/** Digests for experts to compare. */
function experts({ root, state }, texts) {
  const line = (text, code) => el("p", { class: "soft" }, ...spaced([text, el("code", { class: "digest" }, code)]));
  return [line(texts.client_digest, digest), !state.preview && line(texts.survey_digest, digestInPrint(root))];
}
