/** How long a survey takes, as the first screen says: questions of one device, and minutes. */

import { isArm } from "./layout.js";
import { mostAsked } from "./rotation.js";

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
