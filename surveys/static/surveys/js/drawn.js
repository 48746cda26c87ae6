/** What surveys need in which a device asks only some of the questions. */

import { drawQuestions, drawWords } from "./drawing.js";
import { turnOf } from "./turn.js";
import { turnSaid } from "./turn-said.js";

export { drawQuestions, drawWords, turnOf, turnSaid };
