/**
 * Times one draw of a place on a large map. Prints JSON: median, 99th percentile and maximum, in milliseconds.
 * Usage: node scale_draws.js DRAWS < design
 */
import { readFileSync } from "node:fs";

import { Coins, platformFill } from "../surveys/static/surveys/js/coins.js";
import { disguise, draws } from "../surveys/static/surveys/js/disguise.js";
import { answerCount } from "../surveys/static/surveys/js/layout.js";

const design = JSON.parse(readFileSync(0, "utf8"));
const [block] = design.blocks;
const [question] = block.questions;
const times = [];
for (let done = 0; done < Number(process.argv[2]); done += 1) {
  const truth = Math.floor((answerCount(question) * (done + 0.5)) / Number(process.argv[2]));
  const coins = new Coins(platformFill(draws(design)));
  const began = performance.now();
  disguise(design, { [block.key]: { [question.key]: truth } }, false, coins);
  times.push(performance.now() - began);
}
times.sort((a, b) => a - b);
const at = (/** @type {number} */ share) => times[Math.min(Math.floor(times.length * share), times.length - 1)];
console.log(JSON.stringify({ median: at(0.5), late: at(0.99), slowest: at(1) }));
