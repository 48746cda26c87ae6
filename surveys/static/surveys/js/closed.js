/** The page of a closed survey: a body that was sealed in time may still be on its way. */

import { missingParts } from "./seal.js";
import { Post } from "./post.js";

const { survey, submit, clear, texts } = JSON.parse(document.getElementById("page-data").textContent);
const room = document.getElementById("room");

if (missingParts(globalThis).length === 0) {
  const post = new Post({ survey, url: submit, clearUrl: clear, texts, onAnnouncement: () => {} });
  if ((await post.seal.enter()) === "waiting") {
    await post.deliverFound((nodes) => room.replaceChildren(...nodes));
  }
}
