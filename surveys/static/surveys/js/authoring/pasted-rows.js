/** Rows of a pasted list: the options of a question, or the lines of a list. */

/** A bullet, a dash, a number or a letter at the start of a list item. */
const BULLET = /^\s*(?:[-–—•*·▪◦]|\(?(?:\d{1,3}|[A-Za-z])[.)、])\s+/u;

/**
 * The texts of pasted rows. A row may have a text for each of the survey's languages, separated by tabs as in a spreadsheet.
 * Empty rows and repeated texts are skipped.
 * @param {string} pasted @param {string[]} languages @param {Iterable<string | undefined>} existing texts in the first language
 * @returns {Record<string, string>[]}
 */
export function pastedRows(pasted, languages, existing) {
  const seen = new Set(existing);
  return pasted.split(/\r?\n/u).flatMap((line) => {
    const cells = line.replace(BULLET, "").split("\t").map((cell) => cell.trim());
    if (!cells[0] || seen.has(cells[0])) {
      return [];
    }
    seen.add(cells[0]);
    return [Object.fromEntries(languages.flatMap((tag, number) => (cells[number] ? [[tag, cells[number]]] : [])))];
  });
}
