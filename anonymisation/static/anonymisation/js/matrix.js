/*
 * Sums of an expert's matrix while it is written: of each line, and each column's part of the whole in percent.
 * Without a script they are those of the page as it was sent.
 */

/**
 * Add up a matrix; what is no number counts as 0.
 * @param {number[][]} rows one list of numbers for each value
 * @returns {{sums: string[], shares: string[]}}
 */
export function totals(rows) {
  const number = (cell) => (Number.isFinite(cell) ? cell : 0);
  const sums = rows.map((row) => row.reduce((sum, cell) => sum + number(cell), 0));
  const whole = sums.reduce((sum, one) => sum + one, 0);
  const columns = (rows[0] ?? []).map((_, place) => rows.reduce((sum, row) => sum + number(row[place]), 0));
  return {
    sums: sums.map((sum) => sum.toFixed(2)),
    shares: columns.map((sum) => (whole ? ((100 * sum) / whole).toFixed(0) : "–")),
  };
}

if (typeof document !== "undefined") {
  const table = document.querySelector("[data-matrix]");
  table?.addEventListener("input", () => {
    const rows = [...table.querySelectorAll("tbody tr")].map((line) =>
      [...line.querySelectorAll("input")].map((field) => field.valueAsNumber),
    );
    const { sums, shares } = totals(rows);
    table.querySelectorAll("[data-sum]").forEach((cell, place) => (cell.textContent = sums[place]));
    table.querySelectorAll("[data-share]").forEach((cell, place) => (cell.textContent = shares[place]));
  });
}
