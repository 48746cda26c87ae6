/**
 * Probabilities: typed as percentages with two decimals, stored as whole ten-thousandths.
 */

export const WHOLE = 10000;

/** @param {number} share ten-thousandths @returns {string} "5.89"; never rounded */
export function percentText(share) {
  return `${Math.trunc(share / 100)}.${String(share % 100).padStart(2, "0")}`;
}

/**
 * @param {string} text "5.89", "5,89 %", " 12 "; a comma or a point, at most two decimals
 * @returns {number | null} ten-thousandths, or null if the text is not such a percentage
 */
export function readPercent(text) {
  const found = /^\s*(\d{1,3})(?:[.,](\d{0,2}))?\s*%?\s*$/.exec(text);
  if (!found) {
    return null;
  }
  const share = Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
  return share <= WHOLE ? share : null;
}

/** @param {number[]} shares */
export const total = (shares) => shares.reduce((sum, share) => sum + share, 0);

/** Equal shares of the whole, the first ones larger by one if it does not divide evenly. @param {number} count */
export function spread(count) {
  return Array.from({ length: count }, (_, place) => Math.floor(WHOLE / count) + (place < WHOLE % count ? 1 : 0));
}

/**
 * Scale shares proportionally to sum to the whole, by the largest remainder method; none is below `least`.
 * @param {number[]} shares
 * @param {number} [least] 1 for decoys, which must all be possible; 0 for stated prevalences
 */
export function fit(shares, least = 1) {
  const sum = total(shares);
  if (sum === 0) {
    return spread(shares.length);
  }
  const exact = shares.map((share) => (share * WHOLE) / sum);
  const fitted = exact.map((share) => Math.max(Math.floor(share), least));
  const byRemainder = exact.map((_, place) => place).sort((a, b) => (exact[b] % 1) - (exact[a] % 1) || a - b);
  for (const place of byRemainder.slice(0, Math.max(WHOLE - total(fitted), 0))) {
    fitted[place] += 1;
  }
  // Take the excess from the largest shares; break ties by the smaller original.
  while (total(fitted) > WHOLE) {
    const largest = Math.max(...fitted);
    const payers = exact.map((_, place) => place).filter((place) => fitted[place] === largest);
    fitted[payers.sort((a, b) => exact[a] - exact[b])[0]] -= 1;
  }
  return fitted;
}

/** Add a share of average size, keeping the sum. */
export function withOneMore(shares, least = 1) {
  const average = shares.length ? total(shares) / shares.length : WHOLE;
  return fit([...shares, average], least);
}

/** Remove one share, keeping the sum. */
export function withoutOne(shares, place, least = 1) {
  return fit(shares.filter((_, other) => other !== place), least);
}
