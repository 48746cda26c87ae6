/** What few surveys need: invitations, and two ways to answer. */

import { groupScreen } from "./groups.js";
import { codeScreen, KeptCode, putRight, takeCode } from "./invitation.js";

export { codeScreen, groupScreen, KeptCode, putRight, takeCode };
