/**
 * Respondents without a screen. Each answers on a separate device, which draws questions if the design rotates,
 * seals and delivers with the page's modules. The input answers all questions; the devices use those they draw.
 *
 * Standard input: {url, survey, design, design_id, respondents: [{code, answers}]}. Standard output: the outcome of
 * each delivery, as JSON.
 */
import { text } from "node:stream/consumers";

import { Coins, platformFill } from "../../surveys/static/surveys/js/coins.js";
import { Delivery } from "../../surveys/static/surveys/js/deliver.js";
import { disguise } from "../../surveys/static/surveys/js/disguise.js";
import { draws } from "../../surveys/static/surveys/js/draws.js";
import { drawQuestions, drawWords } from "../../surveys/static/surveys/js/drawing.js";
import "../../surveys/static/surveys/js/number-draw.js";
import "../../surveys/static/surveys/js/place-draw.js";
import { rotates } from "../../surveys/static/surveys/js/rotation.js";
import { requestText } from "../../surveys/static/surveys/js/request.js";
import { Seal } from "../../surveys/static/surveys/js/seal.js";
import { device } from "./device.js";

const { url, survey, design, design_id: designId, respondents } = JSON.parse(await text(process.stdin));
const parts = { survey, now: Date.now };
const outcomes = [];

/** Returns the answers to the questions that a device drew, without parts of which it drew none. */
const ofDrawn = (answers, drawn) =>
  Object.fromEntries(
    design.blocks
      .map(({ key, questions }, number) => [key, drawn[number].map((position) => questions[position].key)])
      .filter(([, keys]) => keys.length > 0)
      .map(([part, keys]) => [part, Object.fromEntries(keys.map((key) => [key, answers[part][key]]))]),
  );

for (const { code, answers } of respondents) {
  const here = device();
  const seal = new Seal({ ...parts, ...here });
  await seal.enter();
  await seal.seal(() => {
    const drawn = rotates(design) ? drawQuestions(design, new Coins(platformFill(drawWords(design)))) : undefined;
    const given = drawn ? ofDrawn(answers, drawn) : answers;
    const { body } = disguise(design, given, false, new Coins(platformFill(draws(design))), drawn);
    return requestText({ survey, designId, body, code });
  });
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  outcomes.push(await new Delivery({ ...parts, ...here, url, seal, fetch, pause }).run(() => {}));
}
console.log(JSON.stringify(outcomes));
