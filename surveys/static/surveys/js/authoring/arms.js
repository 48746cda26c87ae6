/** Experiments: devices or invitations decide at random which explanation each person reads. */

import { blockKeys, freshKey, questionKeys } from "./keys.js";
import { kindOf } from "./kinds.js";
import { getAt, setAt } from "./paths.js";

/** @param {{kind: string}} question */
export const isArm = (question) => kindOf(question).isDrawn === true;

/** @param {{questions: {kind: string}[]}} block */
export const isArmBlock = ({ questions }) => questions.some(isArm);

const HALF = 5000;
const KEY = "explanation";

/**
 * Give half of the people the current explanation, and the other half one that is still to be written.
 * @param {any} document
 * @param {{language: string, title: string, first: string}} said in the page's language
 */
export function addExperiment(document, { language, title, first }) {
  const key = freshKey(questionKeys(document), KEY);
  const arm = { key, kind: "arm", options: ["first", "second"].map((option) => ({ key: option, share: HALF })) };
  const own = freshKey(blockKeys(document), KEY);
  const block = { key: own, protected: false, title: { [language]: title }, questions: [arm] };
  const texts = { first: { [language]: first }, second: {} };
  const next = { ...document, blocks: [block, ...document.blocks], explanations: { question: key, texts } };
  return { document: next, at: ["explanations"] };
}

/** Let invitations decide this, or let devices draw it. @param {string} key @param {boolean} isInvited */
export function withInvited({ invited, ...document }, key, isInvited) {
  const kept = invited && invited !== key ? { invited } : {};
  return { ...document, ...(isInvited ? { invited: key } : kept) };
}

/** Remove the texts of deleted arms, and their setting for invitations. */
export function withoutLostArms(survey) {
  const isGone = survey.invited && survey.invited !== "group" && !survey.blocks.some(({ questions }) => questions.some(({ key }) => key === survey.invited));
  const document = isGone ? withInvited(survey, survey.invited, false) : survey;
  const known = document.blocks.flatMap(({ questions }) => questions.filter(isArm).map(({ key }) => key));
  const isLost = (stated) => stated && !known.includes(stated.question);
  const { explanations, ...others } = document;
  const next = isLost(explanations) ? others : document;
  if (!next.blocks.some(({ questions }) => questions.some(({ wordings }) => isLost(wordings)))) {
    return next;
  }
  const plain = ({ wordings, ...question }) => (isLost(wordings) ? question : { ...question, ...(wordings && { wordings }) });
  return { ...next, blocks: next.blocks.map((block) => ({ ...block, questions: block.questions.map(plain) })) };
}

/** Set the share of an arm; if there are two arms, the other gets the rest. */
export function withShare(document, path, place, share) {
  const shares = getAt(document, path).options.map((option) => option.share);
  const next = setAt(document, [...path, "options", place, "share"], share);
  return shares.length === 2 ? setAt(next, [...path, "options", 1 - place, "share"], 10000 - share) : next;
}

/** Reduce a ready-made part to the languages of a draft; further languages remain to be translated. */
export const only = (value, languages) =>
  Array.isArray(value)
    ? value.map((inner) => only(inner, languages))
    : value && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (isTag(key) && !languages.includes(key) ? [] : [[key, only(inner, languages)]])))
      : value;

/**
 * Add ready-made parts: comprehension questions before the first protected part, and trust questions at the end.
 * @param {any} document
 * @param {{before: any[], after: any[]}} ready in the languages of the interface
 * @param {string[]} languages of the draft
 */
export function addReady(document, ready, languages) {
  const [before, after] = [only(ready.before, languages), only(ready.after, languages)];
  const first = Math.max(document.blocks.findIndex((block) => block.protected), 0);
  return { document: { ...document, blocks: [...document.blocks.toSpliced(first, 0, ...before), ...after] }, at: ["blocks", first, "questions", 0] };
}

/** The part whose answers anchors check: the first one with a coin. @returns {number} -1 for none */
const checkedPart = ({ blocks }) => blocks.findIndex(({ truth_probability: truth }) => truth !== undefined);

/**
 * Add anchors after the part that they check, with its probabilities: one question true of no one, one true of everyone.
 * @param {any} document
 * @param {{anchors: any[]}} ready
 * @param {string[]} languages of the draft
 */
export function addAnchors(document, ready, languages) {
  const place = checkedPart(document);
  const { truth_probability, light, refusal, questions } = document.blocks[place];
  const unrelated = questions.find((question) => !kindOf(question).hasOptions)?.unrelated;
  const probabilities = { truth_probability, ...(light !== undefined && { light }), ...(refusal !== undefined && { refusal }) };
  const made = only(ready.anchors, languages).map((block) => ({
    ...block,
    ...probabilities,
    questions: block.questions.map((question) => ({ ...question, ...(unrelated && { unrelated }) })),
  }));
  return { document: { ...document, blocks: document.blocks.toSpliced(place + 1, 0, ...made) }, at: ["blocks", place + 1] };
}

/** Whether anchors can be added. */
export const lacksAnchors = (document, { anchors }) => checkedPart(document) >= 0 && lacksReady(document, { before: anchors, after: [] });

/** Whether a key is a language of the ready-made parts. */
const isTag = (key) => key === "en" || key === "zh-hans";

/** Whether a draft has none of the ready-made parts. */
export const lacksReady = (document, ready) =>
  [...ready.before, ...ready.after].every(({ key }) => !document.blocks.some((block) => block.key === key || block.questions.some((own) => own.key === key)));
