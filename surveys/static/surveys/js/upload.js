/*
 * A form with a file: shows how much has been sent, and then that the server is reading it. The response replaces the page's
 * main part, or the browser follows a redirect. Without JavaScript, or without a file, the browser submits the form
 * itself.
 */

import { MOST, PIECE, sendParts } from "./in-parts.js";

/**
 * Return the percentage sent; null if the size is unknown.
 * @param {{lengthComputable: boolean, loaded: number, total: number}} event
 */
export function percent(event) {
  return event.lengthComputable && event.total > 0 ? Math.floor((100 * event.loaded) / event.total) : null;
}

/** Whether a form has a file to send. */
export function hasFile(form) {
  return [...form.querySelectorAll('input[type="file"]')].some((input) => input.files.length > 0);
}

/**
 * Show a state of the upload.
 * @param {HTMLElement} box contains the bar, and the texts of all states
 * @param {"sending"|"reading"|"failed"|"large"|"stopped"} state
 * @param {number|null} sent percentage
 */
export function show(box, state, sent = null) {
  const part = (name) => box.querySelector(`[data-upload-${name}]`);
  const [status, bar, share] = ["status", "bar", "share"].map(part);
  // Screen readers announce a state once, not each percent.
  const sentence = state === "stopped" ? "" : status.dataset[state];
  if (status.textContent !== sentence) status.textContent = sentence;
  box.hidden = state === "stopped";
  const moves = state === "sending" || state === "reading";
  part("progress").hidden = !moves;
  if (state === "sending" && sent !== null) bar.setAttribute("value", String(sent));
  else bar.removeAttribute("value");
  share.textContent = state === "sending" && sent !== null ? `${sent}%` : "";
}

/**
 * Classify a response: its page replaces this one, is at another address, or there is none.
 * @param {{status: number, url: string}} answer
 * @param {string} sentTo
 */
export function outcome(answer, sentTo) {
  const place = (address) => address.split("#")[0];
  if (!answer.status || answer.status >= 500 || answer.status === 413) return "failed";
  return place(answer.url) === place(sentTo) ? "here" : "elsewhere";
}

function arrived(box, request, form) {
  const what = outcome({ status: request.status, url: request.responseURL }, form.action);
  if (what === "elsewhere") return location.assign(request.responseURL);
  const page = what === "here" && new DOMParser().parseFromString(request.responseText, "text/html");
  const main = page && page.getElementById("main");
  if (!main) return failed(box, form);
  document.title = page.title;
  // Keep the chosen files if the page asks for them again, because the server has not stored them.
  for (const before of form.querySelectorAll('input[type="file"]')) {
    const input = main.querySelector(`input[type="file"][name="${before.name}"]`);
    if (input && before.files.length) input.files = before.files;
  }
  document.getElementById("main").replaceWith(main);
  start(document);
  const { hash } = new URL(form.action);
  const target = (hash && document.getElementById(hash.slice(1))) || main;
  target.scrollIntoView();
  return main.focus({ preventScroll: true });
}

function failed(box, form) {
  show(box, "failed");
  enable(form, true);
}

function enable(form, on) {
  for (const button of form.querySelectorAll('button[type="submit"]')) button.disabled = !on;
}

function send(form, box, submitter) {
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.upload.addEventListener("progress", (event) => show(box, "sending", percent(event)));
  request.upload.addEventListener("load", () => show(box, "reading"));
  request.addEventListener("load", () => arrived(box, request, form));
  request.addEventListener("error", () => failed(box, form));
  request.addEventListener("abort", () => {
    show(box, "stopped");
    enable(form, true);
  });
  box.querySelector("[data-upload-cancel]").onclick = () => request.abort();
  show(box, "sending");
  const body = new FormData(form, submitter);
  enable(form, false);
  request.send(body);
}

/** Return a form's file that must be sent in parts; null if there is none. */
export function largeFile(form) {
  if (!form.dataset.parts) return null;
  const files = [...form.querySelectorAll('input[type="file"]')].flatMap((input) => [...input.files]);
  return files.find((file) => file.size > PIECE) || null;
}

async function sendLarge(form, box, file) {
  if (file.size > MOST) return show(box, "large");
  const stop = new AbortController();
  const token = form.querySelector('[name="csrfmiddlewaretoken"]').value;
  const post = async (fields) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token, ...fields })) body.set(name, value);
    const answer = await fetch(form.dataset.parts, { method: "POST", body, signal: stop.signal });
    const said = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(said.problem), { refused: true });
    return said;
  };
  box.querySelector("[data-upload-cancel]").onclick = () => stop.abort();
  show(box, "sending", 0);
  enable(form, false);
  try {
    const pause = (tries) => new Promise((done) => setTimeout(done, 1000 * tries));
    return location.assign(await sendParts(file, post, (percent) => show(box, "sending", percent), pause));
  } catch (error) {
    show(box, error.name === "AbortError" ? "stopped" : "failed");
    if (error.refused) box.querySelector("[data-upload-status]").textContent = error.message;
    return enable(form, true);
  }
}

/** Handle the forms of a page that have a progress bar. */
export function start(page) {
  for (const box of page.querySelectorAll("[data-upload]")) {
    const form = box.closest("form");
    form.addEventListener("submit", (event) => {
      if (!hasFile(form)) return;
      event.preventDefault();
      const large = largeFile(form);
      if (large) sendLarge(form, box, large);
      else send(form, box, event.submitter);
    });
  }
}

if (typeof document !== "undefined") start(document);
