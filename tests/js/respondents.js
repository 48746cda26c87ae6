/**
 * Respondents without a screen: each answers on a device of its own, which seals and delivers by the page's modules.
 *
 * Standard input: {url, survey, design, design_id, respondents: [{code, answers}]}. Standard output: how each
 * delivery ended, as JSON.
 */
import { text } from "node:stream/consumers";

import { Coins, platformFill } from "../../surveys/static/surveys/js/coins.js";
import { Delivery } from "../../surveys/static/surveys/js/deliver.js";
import { disguise, draws } from "../../surveys/static/surveys/js/disguise.js";
import { requestText, Seal } from "../../surveys/static/surveys/js/seal.js";
import { device } from "./device.js";

const { url, survey, design, design_id: designId, respondents } = JSON.parse(await text(process.stdin));
const parts = { survey, now: Date.now };
const outcomes = [];
for (const { code, answers } of respondents) {
  const here = device();
  const seal = new Seal({ ...parts, ...here });
  await seal.enter();
  await seal.seal(() => {
    const { body } = disguise(design, answers, false, new Coins(platformFill(draws(design))));
    return requestText({ survey, designId, body, code });
  });
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  outcomes.push(await new Delivery({ ...parts, ...here, url, seal, fetch, pause }).run(() => {}));
}
console.log(JSON.stringify(outcomes));
