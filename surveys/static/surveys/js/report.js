/*
 * The page of a run in progress: asks for the progress, and opens the results when the run is over.
 * Without JavaScript, the page has a link to check again.
 */

const SECONDS_BETWEEN_LOOKS = 1;

/**
 * Show the server's response.
 * @param {HTMLElement} card
 * @param {{headline: string, detail: string, percent: number|null, expected: string}} now
 */
export function show(card, now) {
  const part = (name) => card.querySelector(`[data-${name}]`);
  if (part("headline").textContent !== now.headline) {
    part("headline").textContent = now.headline;
    part("announcement").textContent = now.headline;
  }
  part("detail").textContent = now.detail;
  part("expected").textContent = now.expected;
  if (now.percent === null) part("bar").removeAttribute("value");
  else part("bar").setAttribute("value", String(now.percent));
}

/**
 * Ask now, and again until the run is over.
 * @param {HTMLElement} card
 */
async function look(card) {
  try {
    const answer = await fetch(card.dataset.progress, { headers: { Accept: "application/json" } });
    if (answer.redirected || answer.status === 403) return location.reload();
    if (answer.ok) {
      const now = await answer.json();
      if (now.over) return location.replace(card.dataset.results);
      show(card, now);
    }
  } catch {
    // The network is down for the moment; the next request may succeed.
  }
  setTimeout(look, SECONDS_BETWEEN_LOOKS * 1000, card);
}

if (typeof document !== "undefined") {
  const card = document.querySelector("[data-progress]");
  if (card) setTimeout(look, SECONDS_BETWEEN_LOOKS * 1000, card);
}
