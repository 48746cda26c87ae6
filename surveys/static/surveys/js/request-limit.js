/**
 * A form with a file that is sent in one request. The server refuses a longer request unread, and the answer replaces the
 * page with all that was written. So the page says it before anything is sent.
 */

/** What the headings of one field may add to its content, in bytes. */
const AROUND = 400;

/**
 * Return the bytes of a request: of its texts in UTF-8, and of its files.
 * @param {Iterable<[string, string | {size: number}]>} fields
 */
export function requestBytes(fields) {
  const encoder = new TextEncoder();
  let sum = 0;
  for (const [name, value] of fields) {
    sum += AROUND + encoder.encode(name).length + (typeof value === "string" ? encoder.encode(value).length : value.size);
  }
  return sum;
}

if (typeof document !== "undefined") {
  for (const note of document.querySelectorAll("[data-request-limit]")) {
    const form = note.closest("form");
    // Before other handlers of the form, which would take it as sent.
    form.addEventListener(
      "submit",
      (event) => {
        note.hidden = requestBytes(new FormData(form)) <= Number(note.dataset.requestLimit);
        if (!note.hidden) {
          event.preventDefault();
          event.stopImmediatePropagation();
          note.focus();
        }
      },
      { capture: true },
    );
    form.addEventListener("change", () => (note.hidden = true));
  }
}
