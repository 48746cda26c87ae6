/** Changes of a definition's chapters, and what the chapters contain. */

import { fill } from "../dom.js";

/** The ends of chapters as in the definition; null for one that is not chosen yet. @returns {(string | null)[]} */
export const chaptersOf = ({ chapters }) => (Array.isArray(chapters) ? chapters : []);

/** Add the end of a chapter, to be chosen. */
export const addChapter = (survey) => ({ ...survey, chapters: [...chaptersOf(survey), null] });

/** Remove the end of a chapter; without any, the definition names none. @param {number} place */
export function removeChapter(survey, place) {
  const { chapters: _, ...others } = survey;
  const left = chaptersOf(survey).filter((_end, number) => number !== place);
  return left.length ? { ...survey, chapters: left } : others;
}

/** The published chapter that ends then. @param {{ends_at: string, closed: boolean}[]} published */
export const publishedEnd = (end, published) => published.find(({ ends_at: at }) => at === end);

/**
 * One sentence for each chapter, the last one included; none before a time is chosen.
 * @param {(string | null)[]} ends
 * @param {Record<string, string>} texts
 */
export function chapterSentences(ends, texts) {
  const chosen = ends.filter((end) => typeof end === "string" && end);
  if (!chosen.length) {
    return [];
  }
  const sentences = chosen.map((end, place) =>
    fill(texts[place ? "chapter_next" : "chapter_first"], { number: place + 1, until: end.replace("T", " ") }),
  );
  return [...sentences, fill(texts.chapter_last, { number: chosen.length + 1 })];
}
