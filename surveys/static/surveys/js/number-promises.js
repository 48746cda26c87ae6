/** What is promised to respondents about a number. */

import { wordOf } from "./number-field.js";

const how = ({ questions: [question] }, texts) => [wordOf(question, texts, "how")];

export const numberPromises = {
  first: how,
  bounds: () => [],
  more: () => [],
  skipping: () => "scale_skip",
  // The promise already contains the bound of a number.
  hidden: () => ({}),
  short: how,
};
