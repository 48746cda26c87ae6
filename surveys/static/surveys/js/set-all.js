/*
 * A line above a table of columns: changes the role of all columns that have another one and allow the new one. Nothing is sent
 * before the user submits the form.
 */

/**
 * Change selects from one value to another, if they offer it; return the number of changes.
 * @param {Iterable<HTMLSelectElement>} selects
 * @param {string} from old value; "" matches any
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

/** Show the line that changes all columns. */
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
