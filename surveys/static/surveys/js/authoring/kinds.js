/** Properties of each kind of question in the builder. */

import { spread, WHOLE, withOneMore, withoutOne } from "./probabilities.js";

const LISTED = [["", "look_list"]];
const IN_TABLE = ["matrix", "look_matrix"];

/** Each answer has an independent share. */
const APART = {
  begin: (count, each) => Array(count).fill(each),
  add: (shares, _least, first) => [...shares, first],
  remove: (shares, place) => shares.toSpliced(place, 1),
  patterns: (count) => 1n << count,
};

/** The shares of the options sum to 100%. */
const TOGETHER = { begin: spread, add: withOneMore, remove: withoutOne, patterns: (count) => count, sum: WHOLE };

/**
 * By name. `isChosen`: researchers can choose this kind for a question. `isAlone`: it needs a separate part. `isScale`: it has
 * its own disguise. `form`: the form to use instead of the one for options. `shares`: how the probabilities of its answers
 * depend on each other. `leads`: a later part's condition can use its answers. A list is several yes/no questions; no question has this kind.
 */
export const KINDS = {
  yes_no: {
    isChosen: true,
    leads: true,
    looks: [...LISTED, IN_TABLE],
    items: () => 1,
  },
  single: {
    isChosen: true,
    leads: true,
    hasOptions: true,
    shares: TOGETHER,
    looks: [...LISTED, ["rating", "look_rating"], IN_TABLE],
    items: ({ options = [] }) => options.length,
  },
  list: { isChosen: true },
  number: { isAlone: true, isScale: true, form: "scale", canBeStored: true, hasOptions: true },
  place: { isAlone: true, isScale: true, form: "scale", hasOptions: true },
  arm: { isAlone: true, isDrawn: true, form: "arm", name: "arm_name" },
};

/** The kind of a question; a draft from a file may have an unknown one. @param {{kind?: string} | undefined} question */
export const kindOf = (question) => ({ shares: APART, ...KINDS[question?.kind] });

/** The kinds that researchers can choose for a question. */
export const chosenKinds = () => Object.keys(KINDS).filter((kind) => KINDS[kind].isChosen);
