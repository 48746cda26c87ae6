/**
 * The builder's page: wires the draft, its forms, the autosave and the preview to the browser.
 */

import { button, el } from "../dom.js";
import { App, legible } from "./app.js";
import { Autosave } from "./autosave.js";
import { controlFor, editor, showProblems } from "./editor.js";
import { record } from "./history.js";
import { oneStop } from "./one-stop.js";
import { outline } from "./outline.js";
import { Preview } from "./preview.js";
import { Presses } from "./presses.js";
import { privacyPanel, sumInWords } from "./privacy.js";
import { partOf, sentence } from "./problems.js";
import { savingLine, Server } from "./saving.js";
import { todoPanel } from "./todo.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const part = (name) => document.querySelector(`[data-area="${name}"]`);
const optionsOf = (id) => Array.from(document.getElementById(id).children);

const { draft, urls, csrf, ready, forms } = read("builder-data");
const texts = read("builder-texts");
const names = new Map(
  optionsOf("languages").map(({ value, label, dataset }) => [value, { name: label, direction: dataset.direction }]),
);
const app = new App({ draft, urls, texts, names, forms, ready, timeZones: optionsOf("time-zones").map(({ value }) => value) });
const server = new Server(csrf);
const presses = new Presses(document);
const layout = document.querySelector(".builder");
/** Whether the outline and the privacy panel stand beside the phone. */
const isWide = window.matchMedia("(min-width: 64rem)");
app.isExpert = !layout.classList.contains("builder--plain");
let preview = null;
const settlers = [part("outline"), part("todo"), document.querySelector(".builder-actions")].map(oneStop);

/** Redraw a pane, keeping the focus. */
function redraw(pane, nodes) {
  const focused = pane.contains(document.activeElement) ? document.activeElement : null;
  const { id, selectionStart, selectionEnd } = focused ?? {};
  const summary = (details) => details.querySelector("summary")?.textContent;
  const open = new Map(Array.from(pane.querySelectorAll("details"), (details) => [summary(details), details.open]));
  // Fold everything if another part is shown, but keep open what is open in the current part.
  const stays = !["editor", "beside"].includes(pane.dataset.area) || pane.dataset.shows === app.selected;
  pane.dataset.shows = app.selected;
  pane.replaceChildren(...nodes.filter(Boolean));
  for (const details of pane.querySelectorAll("details")) {
    const { menu } = details.dataset;
    details.open = menu ? app.isOpen(menu) : "open" in details.dataset || (stays && (open.get(summary(details)) ?? false));
  }
  const again = id && document.getElementById(id);
  if (again) {
    again.focus({ preventScroll: true });
    if (typeof selectionStart === "number" && again.setSelectionRange && again.type !== "range") {
      again.setSelectionRange(selectionStart, selectionEnd);
    }
  }
}

function drawAround() {
  redraw(part("outline"), outline(app));
  redraw(part("privacy"), privacyPanel(app));
  for (const [name, isOff] of [["undo", !app.history.past.length], ["redo", !app.history.future.length]]) {
    document.getElementById(`builder-${name}`).disabled = isOff;
  }
  settlers.forEach((settle) => settle());
  document.querySelector("[data-practice]").hidden = app.document.practice !== true;
  document.querySelector("[data-total]").textContent = sumInWords(app);
  document.querySelector("[data-title]").textContent = app.titleIn(app.speaking);
}

function drawProblems() {
  showProblems(app, layout);
  redraw(part("todo"), todoPanel(app, jump));
  settlers.forEach((settle) => settle());
  // The draft's precision; empty while the draft is unfinished or the number of respondents is unknown.
  const said = document.querySelector("[data-said]");
  if (said && app.use.length) {
    said.textContent = app.use.join(" ");
  }
  const count = app.problems.length;
  for (const badge of document.querySelectorAll("[data-todo-count]")) {
    badge.hidden = count === 0;
    badge.textContent = String(count);
  }
}

app.draw = ({ focus } = {}) => {
  app.listeners = [];
  const { middle, beside } = editor(app);
  redraw(part("editor"), middle);
  redraw(part("beside"), beside);
  preview?.offer();
  drawAround();
  drawProblems();
  if (focus) {
    showPane("edit");
    const first = part("editor").querySelector(".language:not([hidden]) textarea");
    (focus === "first" && first ? first : document.getElementById("editor-heading")).focus();
  }
};

app.announce = (text) => {
  const pane = document.getElementById("announcement");
  // Announce a repeated sentence again.
  pane.textContent = pane.textContent === text ? `${text}\u00a0` : text;
};

app.offerUndo = (sentence_) => {
  const pane = part("undo");
  const revert = button(texts.undo, () => {
    app.undo();
    pane.replaceChildren();
    document.getElementById("editor-heading")?.focus();
    app.announce(texts.undone);
  }, "link-button");
  pane.replaceChildren(el("p", { class: "note row" }, el("span", {}, sentence_), revert));
};

app.replaced = () => autosave.keep();

app.changed = () => {
  part("undo").replaceChildren();
  autosave.want(app.document);
};

// Leaving a text by pressing a link may edit the draft, too; the link must not be replaced before it is released.
app.drawAround = () =>
  presses.whenReleased(() => {
    if (app.forgetWritten()) {
      drawProblems();
    }
    drawAround();
  });

app.rename = async (slug) => {
  await autosave.now();
  const { status, body } = await server.post(urls.rename, { slug, revision: autosave.revision }).catch(() => ({}));
  if (status === 200) {
    leaving = true;
    window.location.assign(body.builder);
    return null;
  }
  return body?.message ? sentence(body) : texts.away;
};

app.post = (url, content) => server.post(url, content);

function jump(path) {
  app.select(partOf(path, app.document));
  let control = controlFor(layout, path);
  const isHidden = () => control?.closest(".language[hidden]");
  if (isHidden() && control.dataset.field !== path) {
    // The path names no language, so the phone keeps its own.
    control = controlFor(layout, control.dataset.field.replace(/[^.]+$/, app.tongue));
  }
  if (isHidden()) {
    app.speak(control.lang);
    control = controlFor(layout, path);
  }
  for (let folded = control?.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  control?.focus();
}

const act = {
  saveNow: async () => {
    if (autosave.state === "logged_out") {
      await server.renewToken();
    }
    await autosave.now();
  },
  keepMine: () => {
    const mine = app.document;
    app.history = record(record(app.history, legible(autosave.theirs.document)), mine);
    autosave.keepMine();
    app.announce(texts.conflict_kept);
    document.getElementById("editor-heading").focus();
  },
  takeTheirs: () => {
    app.history = record(app.history, legible(autosave.takeTheirs()));
    app.select(app.selected);
    loadAgain();
    app.announce(texts.conflict_taken);
  },
};

const autosave = new Autosave(
  {
    send: (document_, revision, replaces) =>
      server.post(urls.save, { document: document_, revision, ...(replaces && { replaces }) }),
    tell: savingLine(document.getElementById("saving"), part("decision"), { texts, act }),
    onSaved: (body) =>
      presses.whenReleased(() => {
        app.learn(body);
        drawProblems();
        drawAround();
        app.refresh();
        preview?.load();
      }),
    later: (run, milliseconds) => window.setTimeout(run, milliseconds),
    never: (timer) => window.clearTimeout(timer),
  },
  app.document,
  draft.revision,
);

/** Load the problems of the other tab's document, which only the server can find. */
async function loadAgain() {
  const { status, body } = await server.post(urls.check, { document: app.document }).catch(() => ({}));
  presses.whenReleased(() => {
    if (status === 200) {
      app.learn(body);
      drawProblems();
    }
    preview?.load();
  });
}

function showPane(name) {
  layout.dataset.pane = name;
  for (const tab of document.querySelectorAll("[data-pane-button]")) {
    tab.setAttribute("aria-pressed", String(tab.dataset.paneButton === name));
  }
  preview?.freshen();
}

let leaving = false;

/** Whether a click on a link replaces this page, or downloads the draft. @param {HTMLAnchorElement} link @param {MouseEvent} event */
const leadsAway = (link, event) =>
  link.target !== "_blank" &&
  link.href.split("#")[0] !== window.location.href.split("#")[0] &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

function wire() {
  for (const tab of document.querySelectorAll("[data-pane-button]")) {
    tab.addEventListener("click", () => {
      showPane(tab.dataset.paneButton);
      if (isWide.matches) {
        // There the button that was pressed gives way to the one that leads back.
        document.querySelector(`[data-pane-button="${tab.dataset.paneButton === "edit" ? "preview" : "edit"}"]`).focus();
      }
    });
  }
  document.querySelector(".builder-more").open = app.isExpert && window.matchMedia("(min-width: 40rem)").matches;
  document.getElementById("builder-undo").addEventListener("click", () => app.undo());
  document.getElementById("builder-redo").addEventListener("click", () => app.redo());
  window.addEventListener("online", () => autosave.isBehind && autosave.now());
  document.addEventListener("visibilitychange", () => document.hidden && autosave.isBehind && autosave.now());
  window.addEventListener("beforeunload", (event) => autosave.isBehind && !leaving && event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const isMeta = (event.ctrlKey || event.metaKey) && !event.altKey;
    const isText = event.target.matches?.("textarea, input:not([type=radio], [type=checkbox], [type=range])");
    if (isMeta && key === "s") {
      event.preventDefault();
      act.saveNow();
    } else if (isMeta && !isText && key === "z") {
      event.preventDefault();
      app[event.shiftKey ? "redo" : "undo"]();
    }
  });
  // Leaving a text by pressing a link may edit the draft: the page behind the link must show the draft with that edit.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    if (link && autosave.isBehind && leadsAway(link, event)) {
      event.preventDefault();
      await act.saveNow();
      // If it cannot be saved, the browser asks before it leaves the page.
      window.location.assign(link.href);
    }
  });
}

wire();
showPane(isWide.matches ? "edit" : "outline");
app.draw({});
layout.hidden = false;
preview = new Preview(app, part("preview"));
preview.offer();
preview.load();
if (window.location.hash.length > 1) {
  // The page that lists problems before publishing links here.
  showPane("edit");
  jump(decodeURIComponent(window.location.hash.slice(1)));
}
