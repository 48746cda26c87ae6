/** Create elements without markup, so that texts can never become HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, unknown>} attributes functions become listeners; false, null and undefined are left out
 * @param {...(Node | string | false | null | undefined)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Like `el`, for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name, value);
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
  return node;
}

/** The page's language. @returns {string | undefined} */
export const pageLanguage = () => globalThis.document?.documentElement.lang;

/** A count with its digits in groups, as the page's language writes it. @param {number} count */
export const countText = (count) => count.toLocaleString(pageLanguage());

/**
 * Put values into a sentence: `fill("{n} of 100", {n: 13})`. Numbers are written as the page's language does; texts stay as they are. A Chinese sentence has
 * blanks around numbers; if a value is a word there, such as "fewer than 1", no blank stays between two Chinese characters.
 */
export function fill(text, values) {
  const written = (value) => (typeof value === "number" ? countText(value) : String(value));
  const whole = text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? written(values[name]) : place));
  return whole.replace(/([一-鿿]) +(?=[一-鿿])/g, "$1");
}

/**
 * A text with a count, in the form that the page's language has for it: Arabic has six, Chinese one. Its most general form has no
 * suffix.
 * @param {Record<string, string>} texts @param {string} key @param {number} count
 */
export const plural = (texts, key, count) => texts[`${key}_${new Intl.PluralRules(pageLanguage()).select(count)}`] ?? texts[key];

/** A button that runs a function; there is no form to submit. */
export function button(text, click, className = "button") {
  return el("button", { type: "button", class: className, click }, text);
}
