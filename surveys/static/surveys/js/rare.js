/** What few surveys need: invitations, two ways to answer, questions with a right answer, and drawn questions. */

import { againScreen, misunderstood } from "./again.js";
import { allQuestions } from "./all-questions.js";
import { groupScreen } from "./groups.js";
import { codeScreen, KeptCode, putRight, takeCode } from "./invitation.js";

export { againScreen, allQuestions, codeScreen, groupScreen, KeptCode, misunderstood, putRight, takeCode };
