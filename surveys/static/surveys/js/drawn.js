/** What surveys need in which a device asks only some of the questions. */

import { drawQuestions, drawWords } from "./drawing.js";
import { turnOf } from "./turn.js";

export { drawQuestions, drawWords, turnOf };
