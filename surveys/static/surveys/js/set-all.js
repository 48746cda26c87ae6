/*
 * Above a table of columns: sets the role of all columns that have another one, where they can have it. Nothing is
 * sent: the form is, as ever, by its button.
 */

/**
 * Set selects that show one value to another one that they offer; return how many were set.
 * @param {Iterable<HTMLSelectElement>} selects
 * @param {string} from "" for any
 * @param {string} to
 */
export function setAll(selects, from, to) {
  let count = 0;
  for (const select of selects) {
    const offers = [...select.options].some((option) => option.value === to);
    if (!offers || select.value === to || (from && select.value !== from)) continue;
    select.value = to;
    count += 1;
  }
  return count;
}

/** Show the line of a page that sets all. */
export function start(page) {
  const box = page.querySelector("[data-set-all]");
  if (!box) return;
  const [from, to] = box.querySelectorAll("select");
  const status = box.querySelector("[data-set]");
  box.hidden = false;
  box.querySelector("button").addEventListener("click", () => {
    const selects = box.closest("form").querySelectorAll('select[name^="role_"]');
    status.textContent = status.dataset.set.replace("{count}", String(setAll(selects, from.value, to.value)));
  });
}

if (typeof document !== "undefined") start(document);
