/**
 * Prints how often the platform's generator gives each of the 10,000 draws, as JSON.
 * Usage: node count_draws.js DRAWS
 */
import { Coins, platformFill, SCALE } from "../../surveys/static/surveys/js/coins.js";

const wanted = Number(process.argv[2]);
const counts = new Array(SCALE).fill(0);
// A fill is limited to 65,536 bytes, as in browsers.
const coins = new Coins(platformFill(16_000));
for (let done = 0; done < wanted; done += 1) {
  counts[coins.draw()] += 1;
}
console.log(JSON.stringify(counts));
