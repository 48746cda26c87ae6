/** What surveys need whose parts take turns over a series. */

import { turnOf } from "./turn.js";
import { turnSaid } from "./turn-said.js";

export { turnOf, turnSaid };
