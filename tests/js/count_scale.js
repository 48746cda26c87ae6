/**
 * Prints how often each value is sent for each true answer of a number or a place, as JSON.
 * Usage: node count_scale.js DRAWS < designs, as {name: {design, truths}}
 *
 * The whole way of a device: words of the platform's generator, one draw, the lookup, the body, read back.
 */
import { readFileSync } from "node:fs";

import { Coins, platformFill } from "../../surveys/static/surveys/js/coins.js";
import { disguise, draws } from "../../surveys/static/surveys/js/disguise.js";
import { unpack } from "../../surveys/static/surveys/js/unpack.js";
import { kindOf } from "../../surveys/static/surveys/js/kinds.js";
import "../../surveys/static/surveys/js/numbers.js";
import "../../surveys/static/surveys/js/places.js";

const wanted = Number(process.argv[2]);
const counts = {};
for (const [name, { design, truths }] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const [block] = design.blocks;
  const [question] = block.questions;
  counts[name] = truths.map((truth) => {
    const seen = new Array(kindOf(question).count(question)).fill(0);
    const coins = new Coins(platformFill(4000 * draws(design)));
    for (let done = 0; done < wanted; done += 1) {
      const { body } = disguise(design, { [block.key]: { [question.key]: truth } }, false, coins);
      const [[sent]] = unpack(design, body).answers;
      seen[sent] = (seen[sent] ?? 0) + 1;
    }
    return seen;
  });
}
console.log(JSON.stringify(counts));
