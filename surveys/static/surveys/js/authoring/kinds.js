/** What the builder does with questions of each kind. */

const LISTED = [["", "look_list"]];
const IN_TABLE = ["matrix", "look_matrix"];

/**
 * By name. `isChosen`: researchers choose among these for a question. `isAlone`: it is a part of its own; `isScale`: as
 * it brings a disguise of its own. `isExhaustive`: shares of its options sum to all people. `leads`: a later part can
 * wait for its answers.
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
    isExhaustive: true,
    looks: [...LISTED, ["rating", "look_rating"], IN_TABLE],
    items: ({ options = [] }) => options.length,
  },
  multi: {
    isChosen: true,
    hasOptions: true,
    items: ({ options = [] }) => options.length,
  },
  number: { isAlone: true, isScale: true, canBeStored: true, hasOptions: true },
  place: { isAlone: true, isScale: true, hasOptions: true },
  arm: { isAlone: true, isDrawn: true },
};

/** A draft out of a file may hold anything. @param {{kind?: string} | undefined} question */
export const kindOf = (question) => KINDS[question?.kind] ?? {};

/** The kinds among which researchers choose for a question. */
export const chosenKinds = () => Object.keys(KINDS).filter((kind) => KINDS[kind].isChosen);
