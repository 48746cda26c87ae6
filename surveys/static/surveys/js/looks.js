/** The styles of the screens after question 1, later.css. */

import { el } from "./dom.js";
import { NotArrived, patiently } from "./program.js";

/** Browsers may remember that an address failed, so each further request has another one. */
let attempts = 0;

/** Load them. @returns {Promise<void>} @throws {NotArrived} */
export const loadLooks = () =>
  patiently(
    () =>
      new Promise((done, failed) => {
        const first = document.querySelector('link[rel="stylesheet"]').href.replace(/sottovoce\.css.*/, "later.css");
        const end = () => {
          // The last rule says so; a file may be cut off.
          if (getComputedStyle(link).getPropertyValue("--looks")) {
            done();
          } else {
            link.remove();
            failed(new NotArrived("later.css"));
          }
        };
        const href = attempts ? `${first}?${attempts}` : first;
        attempts += 1;
        const link = el("link", { rel: "stylesheet", href, load: end, error: end });
        document.head.append(link);
      }),
  );
