/**
 * Paths in a definition, written as on the server: "blocks[1].questions[0].text.zh-hans".
 *
 * Documents are immutable; `setAt` returns a new one that shares the unchanged parts.
 *
 * @typedef {(string | number)[]} Path
 */

/** @param {string} text @returns {Path} */
export function parsePath(text) {
  return Array.from(text.matchAll(/\[(\d+)\]|([^.[\]]+)/g), ([, index, name]) =>
    index === undefined ? name : Number(index),
  );
}

/** @param {Path} path @returns {string} */
export function pathText(path) {
  return path.reduce((text, step) => {
    if (typeof step === "number") {
      return `${text}[${step}]`;
    }
    return text ? `${text}.${step}` : step;
  }, "");
}

/** @param {any} document @param {Path} path @returns {any} the value, or undefined */
export function getAt(document, path) {
  return path.reduce((value, step) => (value === null ? undefined : value?.[step]), document);
}

/**
 * @param {any} document
 * @param {Path} path
 * @param {any} value undefined removes the member
 */
export function setAt(document, path, value) {
  if (path.length === 0) {
    return value;
  }
  const [step, ...rest] = path;
  const isList = typeof step === "number";
  const old = document ?? (isList ? [] : {});
  const inner = setAt(old[step], rest, value);
  if (isList) {
    return old.with(step, inner);
  }
  const { [step]: _, ...others } = old;
  if (inner === undefined) {
    return others;
  }
  return step in old ? { ...old, [step]: inner } : { ...others, [step]: inner };
}
