/** What surveys need in which a device asks only some of the questions. */

import { allQuestions } from "./all-questions.js";
import { drawQuestions, drawWords } from "./drawing.js";

export { allQuestions, drawQuestions, drawWords };
