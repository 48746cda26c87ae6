/**
 * The first screen: who asks, how long it takes, what the device does (a picture and a few lines), and one sentence on how
 * sure anyone could become. The rest is folded.
 */

import { hasTwoStrengths } from "./draws.js";
import { button, el, fill, svg } from "./dom.js";
import { digestInPrint } from "./digest.js";
import { promiseInShort, promisesOf, wholeLabel } from "./label.js";
import { isArm } from "./layout.js";
import { isPartlyExact, wayOf } from "./parts.js";
import { mostAsked, rotates } from "./rotation.js";
import { digest } from "./start.js";

/** A coin falls on one of two sides: the device sends the real answer, or a made-up one. */
function coin() {
  const lines = [
    "M68 30 L112 18 M104 14.5 L112 18 L106 24.5 M68 42 L112 54 M106 47.5 L112 54 L104 57.5",
    "M136 18 L144 25 L157 11",
    "M141 50 a5 5 0 1 1 7 4.5 q-2 1 -2 3.5 M146 62 v.5",
    "M180 18 L216 34 M180 54 L216 38 M208 27 L217 36 L208 45",
  ];
  const card = (x, y, more) => svg("rect", { x, y, width: 44, height: 28, rx: 6, ...more });
  return svg(
    "svg",
    { class: "coin", viewBox: "0 0 264 72", "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 36, cy: 36, r: 24 }),
    svg("circle", { cx: 36, cy: 36, r: 17 }),
    card(124, 4),
    card(124, 40, { "stroke-dasharray": "5 4" }),
    card(224, 22, { width: 36 }),
    ...lines.map((d) => svg("path", { d })),
  );
}

/** The largest number of questions that one device asks. @param {Design} design */
export function questionCount({ blocks, rotations = [] }) {
  const counts = new Map(blocks.filter((block) => !isArm(block)).map((block) => [block.key, mostAsked(block)]));
  const sum = (list) => list.reduce((total, count) => total + count, 0);
  const drawn = rotations.map(({ blocks: keys, parts_per_person: parts }) => {
    const largest = keys.map((key) => counts.get(key)).sort((a, b) => b - a);
    keys.forEach((key) => counts.delete(key));
    return sum(largest.slice(0, parts));
  });
  return sum([...counts.values(), ...drawn]);
}

/** Approximate minutes for answering: one for the introduction, and a quarter for each question. */
export const minutesOf = (questions) => 1 + Math.ceil(questions / 4);

const hasProtected = ({ blocks }) => blocks.some((block) => block.protected);

/** Whether some people's answers to protected questions are sent undisguised. */
const sendsUndisguised = (design) => hasProtected(design) && design.group.policy !== "protected" && !hasTwoStrengths(design);

/** The key of the line on how the groups are formed; null if everyone answers in the same way. */
function groupLine(design) {
  const { policy } = design.group;
  if (!hasProtected(design) || policy === "protected") {
    return null;
  }
  const isInvited = design.invited === "group" && policy === "assigned";
  return `line_${policy === "choice" ? "choice" : isInvited ? "invited" : "drawn"}${hasTwoStrengths(design) ? "_light" : ""}`;
}

/** @returns {(string | Node[])[]} lines on what the device does */
function lines({ design, explanations }, texts) {
  const { blocks, group, invited } = design;
  const isOpen = blocks.some((block) => !block.protected && !isArm(block));
  const marks = hasProtected(design) && (isOpen || sendsUndisguised(design));
  const mark = (className, text) => el("span", { class: className }, text);
  const share = (group.direct_share / 100).toLocaleString(document.documentElement.lang);
  const decided = groupLine(design);
  return [
    !hasProtected(design) && texts.line_stored,
    marks && [mark("tag", texts.mark_disguised), " ", texts.line_disguised],
    marks && isOpen && [mark("tag tag--quiet", texts.mark_open), " ", texts.line_open],
    hasProtected(design) && !marks && !explanations && texts.line_all,
    blocks.some(({ questions }) => isPartlyExact(questions)) && texts.line_exact,
    decided && fill(texts[decided], { share }),
    blocks.some(isArm) && (invited && invited !== "group" ? texts.line_arms_invited : texts.line_arms),
  ].filter(Boolean);
}

const fold = (summary, ...nodes) => el("details", {}, el("summary", {}, summary), ...nodes);

const list = (items) => el("ul", {}, ...items.map((item) => el("li", {}, ...[item].flat())));

/** A text of the survey, with its line breaks. */
const broken = (text) => text.split("\n").flatMap((line, number) => (number ? [el("br"), line] : [line]));

/** What is stored, where, and for how long. */
function kept({ by_invitation: byInvitation, panel, state }, texts) {
  const { delete_on: last, backup_days: days, server } = state;
  const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
  const backups = days ? fill(days === 1 ? texts.kept_backup_one : texts.kept_backup, { days }) : texts.kept_backup_unsaid;
  const hosts = { page: window.location.host, server: server && new URL(server).host };
  return fold(
    texts.kept,
    list(
      [
        texts.kept_last,
        last && `${fill(texts.kept_until, { day: written.format(new Date(last)) })} ${backups}`,
        byInvitation && texts.kept_code,
        panel && texts.kept_panel,
        texts.kept_waiting,
        texts.kept_reload,
        server ? fill(texts.kept_elsewhere, hosts) : texts.kept_cookie,
      ].filter(Boolean),
    ),
  );
}

/** Texts about the survey that are not already shown above. */
function aboutSurvey({ about, language }, texts) {
  const names = ["purpose", "help", "contact", "ethics", "retention"].filter((key) => about[key]);
  const rows = names.flatMap((key) => [
    el("dt", {}, texts[`about_${key}`]),
    el("dd", { lang: language, dir: "auto" }, ...broken(about[key])),
  ]);
  return names.length > 0 && fold(texts.about, el("dl", { class: "about" }, ...rows));
}

/** Digests for experts to compare. */
function experts({ root, state }, texts) {
  const line = (text, code) => el("p", { class: "soft" }, text, " ", el("code", { class: "digest" }, code));
  const named = !state.preview && line(texts.survey_digest, digestInPrint(root));
  return fold(texts.experts, el("div", { class: "stack" }, el("div", { class: "stack", "data-parts": true }), line(texts.client_digest, digest), named));
}

/**
 * @param {Page} page
 * @param {Record<string, string>} texts
 * @param {string[]} [explained] the explanation of an arm
 * @returns {HTMLElement}
 */
export function intro(page, texts, explained) {
  const { about, design, language, light, whole } = page;
  const questions = questionCount(design);
  const own = { lang: language, dir: "auto" };
  const isProtected = hasProtected(design);
  const isDirect = wayOf(design, design.group.policy !== "protected") === "direct";
  const length = questions === 1 ? texts.length_one : texts.length;
  return el(
    "section",
    { class: "stack", translate: "yes", "data-intro": true },
    el(
      "div",
      { class: "asked" },
      about.researcher && el("p", own, about.researcher),
      el(
        "p",
        { class: "length" },
        fill(length, { questions, minutes: minutesOf(questions) }),
        about.age_limit && " ",
        about.age_limit && el("span", own, about.age_limit),
      ),
    ),
    el("h2", { tabindex: "-1" }, isProtected ? texts.who_sees : texts.not_disguised),
    isProtected && coin(),
    isProtected && explained && el("div", { class: "stack", "data-explanation": true, ...own }, ...explained.map((line) => el("p", {}, line))),
    el(
      "ul",
      { class: "lines" },
      ...lines(page, texts).map((line) => el("li", {}, ...[line].flat())),
      // The explanation of an arm already contains the promise.
      ...(explained ? [] : promisesOf(texts, whole, light, promiseInShort)).map((promised) => el("li", { class: "promise" }, promised)),
    ),
    sendsUndisguised(design) && about.undisguised && el("p", own, ...broken(about.undisguised)),
    // The place of the buttons: before the folded parts, so that they never cover text.
    el("div", { class: "row actions" }),
    isProtected &&
      fold(
        texts.odds_summary,
        el(
          "div",
          { class: "stack" },
          el("div", { class: "stack", "data-odds": true }, wholeLabel(texts, whole, isDirect, light)),
          el("div", { "data-trial": true }),
        ),
      ),
    rotates(design) && fold(texts.all_questions, el("div", { "data-all": true })),
    kept(page, texts),
    aboutSurvey(page, texts),
    experts(page, texts),
  );
}

/** The first screen with its buttons. @param {Scene} scene @param {HTMLElement} section */
export function introScreen({ texts, act }, section) {
  const whole = button(texts.start_whole, () => act.start(true), "button button--plain");
  section.querySelector(".actions").replaceChildren(button(texts.start, () => act.start(false)), whole);
  return [section];
}
