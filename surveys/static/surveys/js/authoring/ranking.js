/** Rankings in the builder: things to put in order, disguised as one choice among their orders. */

import { orders } from "../ranking.js";

/** Twin of surveys/questionnaire/rankings.py. */
const BETWEEN = ".";
const MOST_THINGS = 4;
/** What a new one starts with. */
export const LEAST_THINGS = 3;

export const isRanking = ({ kind }) => kind === "ranking";

/** How many chances of answers a question with options has: of a ranking one for each order, as long as there are not too many things. */
export const answerCount = (question) =>
  isRanking(question) && question.options.length <= MOST_THINGS ? orders(question.options.length).length : (question.options?.length ?? 1);

/** An order's text in every language that all its things have. @param {Record<string, string>[]} said of the things */
function joined(said) {
  const tags = Object.keys(said[0] ?? {}).filter((tag) => said.every((text) => text?.[tag]));
  return Object.fromEntries(tags.map((tag) => [tag, said.map((text, place) => `${place + 1}. ${text[tag]}`).join(" ")]));
}

/** A question as a device disguises it: of a ranking the choice among its orders, of any other the question itself. */
export function asSingle(question) {
  if (!isRanking(question)) {
    return question;
  }
  const things = question.options ?? [];
  const listed = things.length <= MOST_THINGS ? orders(things.length) : [];
  const options = listed.map((order) => ({
    key: order.map((thing) => things[thing].key).join(BETWEEN),
    text: joined(order.map((thing) => things[thing].text)),
  }));
  return { ...question, kind: "single", options };
}

/** The key of an answer after an option got another one. */
export const renamedAnswer = (question, before, key) => (answer) =>
  isRanking(question)
    ? answer.split(BETWEEN).map((one) => (one === before ? key : one)).join(BETWEEN)
    : answer === before ? key : answer;
