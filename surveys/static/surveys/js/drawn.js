/** What surveys need in which a device asks only some of the questions. */

import { drawQuestions, drawWords } from "./drawing.js";

export { drawQuestions, drawWords };
