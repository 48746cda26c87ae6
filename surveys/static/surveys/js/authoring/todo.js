/** What remains to be done before publishing, and findings of the checks; each links to its field. */

import { el, fill } from "../dom.js";
import { menu } from "./fields.js";
import { parsePath } from "./paths.js";
import { isUnwritten, partOf, sentence } from "./problems.js";

const MOST = 6;
/** Findings that the plan page resolves, so that they link to it. */
const OF_PLAN = ["people_unknown", "too_few_asked", "share_imprecise", "difference_missed"];

/** @param {import("./app.js").App} app @param {(path: string) => void} onJump @returns {Node[]} */
export function todoPanel(app, onJump) {
  const { texts, problems } = app;
  const line = (problem, place) => jumpLine(app, problem.path, inWords(app, problem), `todo-${place}`, onJump);
  const title = el("h2", { id: "todo-title" }, texts.todo);
  if (problems.length === 0) {
    const said = app.live.said || noneLeft(app);
    return [
      title,
      said && el("p", { class: "soft" }, said),
      app.live.problems.length > 0 &&
        menu(app, "live", texts.todo_live, el("ol", { class: "plain-list todo-list" }, ...app.live.problems.map(line))),
      ...findingsOf(app, onJump),
    ].filter(Boolean);
  }
  const hidden = problems.length - MOST;
  const later = problems.slice(1, MOST).map((problem, place) => line(problem, place + 1));
  return [
    title,
    el("p", { class: "soft" }, fill(problems.length === 1 ? texts.todo_one : texts.todo_many, { count: problems.length })),
    el("ol", { class: "plain-list todo-list" }, line(problems[0], 0)),
    later.length > 0 &&
      menu(
        app,
        "todo",
        texts.todo_later,
        el("ol", { class: "plain-list todo-list", start: 2 }, ...later),
        hidden > 0 && el("p", { class: "hint" }, fill(texts.todo_more, { count: hidden })),
      ),
  ];
}

/** Whether nothing stops publishing, which is not the same as having no problem: warnings can be about results that no one will see. */
const noneLeft = ({ texts, findings }) =>
  findings.some(({ level }) => level === "refuse") ? "" : findings.length > 0 ? texts.todo_warned : texts.todo_none;

/** A link to a path of the draft, followed by an optional link to another page. */
function jumpLine(app, path, text, id, onJump, more = "", link = null) {
  const attributes = { type: "button", id, class: `todo-jump${more}`, click: () => onJump(path) };
  return el("li", {}, el("button", attributes, el("strong", {}, app.nameOf(partOf(path, app.document))), el("span", {}, text)), link);
}

/** The findings with their remedies in full, the most severe first: one in view, and the others behind one button. */
function findingsOf(app, onJump) {
  const planLink = ({ code }) => OF_PLAN.includes(code) && document.querySelector("[data-use] a").cloneNode(true);
  const line = (one, place) =>
    jumpLine(app, one.path, sentence(one), `finding-${one.level}-${place}`, onJump, " todo-jump--whole", planLink(one));
  const lines = (found, from = 0) => el("ol", { class: "plain-list todo-list" }, ...found.map((one, place) => line(one, from + place)));
  const of = (level) => app.findings.filter((finding) => finding.level === level);
  const headings = { refuse: app.texts.findings_refused, warn: app.texts.findings_warned };
  const heading = (level) => el("h3", { class: "label" }, headings[level]);
  const [most, ...milder] = Object.keys(headings).filter((level) => of(level).length > 0);
  if (!most) {
    return [];
  }
  const [first, ...others] = of(most);
  const count = others.length + milder.reduce((sum, level) => sum + of(level).length, 0);
  const rest = [others.length > 0 && lines(others, 1), ...milder.flatMap((level) => [heading(level), lines(of(level))])];
  return [heading(most), lines([first]), count > 0 && menu(app, "findings", fill(app.texts.todo_more, { count }), ...rest)];
}

/** Describe a problem with its field, and a missing text also with its language, which the list does not show. */
function inWords(app, problem) {
  const { texts, document: survey, languages } = app;
  const steps = parsePath(problem.path);
  if (!isUnwritten(survey, languages, problem)) {
    const label = ["number", "edge", "scale"].map((kind) => texts[`${kind}_${steps.at(-1)}`]).find(Boolean);
    return label ? `${label}: ${sentence(problem)}` : sentence(problem);
  }
  const field = steps[0] === "about" ? texts[`about_${steps[1]}`] : texts[`field_${steps.at(-2)}`];
  const language = app.language(steps.at(-1)).name;
  return `${[field, languages.length > 1 && language].filter(Boolean).join(" · ")}: ${texts.unwritten}`;
}
