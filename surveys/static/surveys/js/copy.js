/*
 * A button that copies what a field holds. The page hides it where there is no script, or no clipboard to write to.
 */

for (const row of document.querySelectorAll("[data-copy]")) {
  const field = document.querySelector(row.dataset.copy);
  const said = row.querySelector("[data-copied]");
  field.addEventListener("focus", () => field.select());
  if (!navigator.clipboard) continue;
  row.hidden = false;
  row.querySelector("button").addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    said.textContent = said.dataset.copied;
  });
}
