/** What holds for the respondents of one group. Loaded with the end of the survey. */

import { inGroup } from "./layout.js";

/**
 * @param {Design["group"]} group
 * @param {boolean} direct
 * @returns {boolean} whether a device can end up in the direct group, or else in the protected group
 */
export function groupAllows(group, direct) {
  if (group.policy === "protected") {
    return !direct;
  }
  return group.direct_share === null || group.direct_share !== (direct ? 0 : 10000);
}

/** @param {Design} design @param {boolean} direct @returns {Design} the design as the devices of one group apply it */
export function groupDesign(design, direct) {
  return { ...design, blocks: design.blocks.map((block) => inGroup(block, direct) ?? block) };
}

/** How a whole row is sent: "protected" if any of it is disguised, else "direct" or "open". */
export function wayOf(design, direct) {
  if (design.blocks.some((block) => inGroup(block, direct))) {
    return "protected";
  }
  return design.blocks.some((block) => block.protected) ? "direct" : "open";
}
