/*
 * A button that copies the content of a field. It stays hidden without JavaScript or a clipboard to write to.
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
