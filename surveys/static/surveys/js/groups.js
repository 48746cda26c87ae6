/** The screen on how to answer: respondents choose, or the device has drawn and tells them. */

import { button, el, fill } from "./dom.js";
import * as flow from "./flow.js";
import { broken, sendsUndisguised } from "./intro.js";
import { actions } from "./parts.js";
import { heading } from "./said.js";
import { spaced } from "./sentences.js";
import { worstCase } from "./worst-case.js";

/** @param {Scene} scene */
export function groupScreen(scene) {
  const { state, texts } = scene;
  return state.design.group.policy === "assigned" ? assignedScreen(scene) : choiceScreen(scene, texts);
}

/** Why the survey also takes answers that are not disguised, in its own words. */
const reason = ({ page: { about, design, language } }) =>
  sendsUndisguised(design) && about.undisguised && el("p", { lang: language, dir: "auto" }, ...broken(about.undisguised));

function assignedScreen(scene) {
  const { state, texts, act } = scene;
  const way = state.direct ? "direct" : "protected";
  const share = new Intl.NumberFormat(document.documentElement.lang).format(state.design.group.direct_share / 100);
  return [
    heading(texts.assigned_title),
    el("p", { class: "say" }, texts[`assigned_${way}`]),
    el("p", {}, texts[`assigned_${way}_text`]),
    el("p", { class: "soft" }, fill(texts.assigned_text, { share })),
    reason(scene),
    actions(scene, button(texts.continue, act.next)),
  ];
}

function choiceScreen(scene, texts) {
  const { state, act } = scene;
  if (!flow.isGroupOpen(state)) {
    return [
      heading(texts.group_title),
      el("p", { class: "say" }, state.direct ? texts.group_settled_direct : texts.group_settled_protected),
      actions(scene, button(texts.continue, act.next)),
    ];
  }
  const wholes = [scene.whole, scene.light];
  const name = scene.nameOf(-1, 0);
  const error = el("p", { class: "error", id: "error", hidden: true });
  const ways = [
    [false, "group_protected"],
    [true, "group_direct"],
  ];
  const oddsOf = (position) => scene.light && worstCase(texts, wholes[position]);
  const inputs = ways.map(([direct], position) => {
    const change = () => act.chooseGroup(direct);
    const input = el("input", { type: "radio", name, value: position, autocomplete: "off", change });
    input.checked = state.direct === direct;
    return input;
  });
  const fieldset = el(
    "fieldset",
    { class: "stack", "aria-describedby": "hint error" },
    el("legend", {}, heading(texts.group_title)),
    el("p", { id: "hint" }, texts.group_text),
    reason(scene),
    error,
    el(
      "div",
      { class: "choices" },
      ...ways.map(([, key], position) =>
        el(
          "label",
          {},
          inputs[position],
          el("span", {}, el("strong", {}, texts[key]), el("br"), ...spaced([texts[`${key}_hint`], oddsOf(position)])),
        ),
      ),
    ),
  );
  const complain = () => {
    error.textContent = texts.group_error;
    error.hidden = false;
    inputs[0].focus();
  };
  return [fieldset, actions(scene, button(texts.continue, () => act.next(complain)))];
}
