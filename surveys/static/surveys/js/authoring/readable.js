/** Whether the probabilities of a part can be used. */

import { kindOf } from "./kinds.js";
import { total, WHOLE } from "./probabilities.js";

/** Whether all probabilities of a protected block are valid. */
export function isReadable({ truth_probability: truth, refusal = null, questions }) {
  const share = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
  const hasProbabilities = (question) => {
    const { items, hasOptions, shares } = kindOf(question);
    const { unrelated } = question;
    return (
      Array.isArray(unrelated) &&
      unrelated.length === items?.(question) &&
      (!hasOptions || unrelated.length > 1) &&
      unrelated.every((one) => share(one, 1, WHOLE - 1)) &&
      (shares.sum === undefined || total(unrelated) === shares.sum)
    );
  };
  return (
    share(truth, 1, WHOLE - 1) &&
    (refusal === null || share(refusal, 1, WHOLE - 1)) &&
    questions.length > 0 &&
    questions.every(hasProbabilities)
  );
}
