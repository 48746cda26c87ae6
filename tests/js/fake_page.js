/** The parts of a page that scripts need, without a browser. */

class Node {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, listeners: {}, children: [] });
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  focus() {}

  /** Its first node of a tag. */
  querySelector(tag) {
    return this.all(tag)[0] ?? null;
  }

  /** All of its text. */
  get text() {
    return this.children.map((child) => (typeof child === "string" ? child : child.text)).join("");
  }

  /** Nodes of a tag within it. */
  all(tag) {
    return this.children.flatMap((child) => (child instanceof Node ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : []));
  }
}

/** Returns a document with an empty head and these elements. @param {Record<string, {textContent: string}>} named */
export const fakeDocument = (named = {}) => ({
  createElement: (tag) => new Node(tag),
  createElementNS: (_space, tag) => new Node(tag),
  documentElement: { lang: "en" },
  getElementById: (id) => named[id] ?? null,
  head: new Node("head"),
});
