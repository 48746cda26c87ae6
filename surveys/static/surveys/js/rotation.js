/** What devices ask, in designs in which they do not all ask the same. As in privacy/survey/booklets.py. */

/** @param {Block} block @returns {boolean} whether each device asks only some of its questions */
export const isRotating = (block) => block.questions_per_person !== undefined;

/** @param {Design} design @returns {boolean} whether devices differ in what they ask */
export const rotates = ({ blocks, rotations }) => rotations !== undefined || blocks.some(isRotating);

/** @param {Block} block @returns {number} how many of its questions one device asks; fewer than it lists if some replace others */
export const mostAsked = ({ most_shown: shown, questions_per_person: most, questions }) => shown ?? most ?? questions.length;

/** @param {Design} design @returns {Drawn} what every device asks if nothing rotates */
export const everything = ({ blocks }) => blocks.map(({ questions }) => [...questions.keys()]);
