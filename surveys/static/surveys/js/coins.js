/**
 * Exact draws of whole numbers from random 32-bit words (protocol coins-1), as in privacy/coins.py.
 *
 * A draw is from 0 to 9999. Words from LIMIT on are skipped. Below LIMIT, each value has exactly 429,496 words, so a draw
 * is below a threshold t with probability t / 10000 exactly.
 */

/** Every probability is a whole number of ten-thousandths. */
export const SCALE = 10000;

/** Words of this size or larger are skipped. */
export const LIMIT = 4294960000;

/** Additional words in each fill, to make up for skipped ones. */
const SPARE = 16;

const WORD_BITS = 32;

/** @param {bigint} number 0 or more @returns {number} the number of its bits */
function bitLength(number) {
  return number === 0n ? 0 : number.toString(2).length;
}

/** @param {bigint} total @returns {number} words that one attempt of below(total) uses */
export function wordsBelow(total) {
  return Math.ceil(bitLength(total - 1n) / WORD_BITS);
}

/** @param {bigint} one @param {bigint} other @returns {bigint} their least common multiple */
export function commonMultiple(one, other) {
  let [divisor, rest] = [one, other];
  while (rest) {
    [divisor, rest] = [rest, divisor % rest];
  }
  return (one / divisor) * other;
}

/** This device has no cryptographic generator, or it failed, so nothing may be disguised or sent. */
export class NoGenerator extends Error {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options);
    this.code = "no_generator";
  }
}

/** A stream of draws. */
export class Coins {
  /** @type {() => Uint32Array} */
  #fill;
  #words = new Uint32Array(0);
  #next = 0;
  #used = 0;

  /** @param {() => Uint32Array} fill returns new words; called at first and whenever all words are used up */
  constructor(fill) {
    this.#fill = fill;
  }

  /** Number of words used so far, including skipped ones. */
  get used() {
    return this.#used;
  }

  /**
   * Uses words until one counts.
   * @returns {number} a whole number from 0 to 9999
   */
  draw() {
    for (;;) {
      const word = this.#word();
      if (word < LIMIT) {
        return word % SCALE;
      }
    }
  }

  /**
   * Uses words until they form a number below `total`; each such number is equally likely. An attempt uses as many words
   * as total - 1 has, the highest first, and drops bits that total - 1 does not have. Larger numbers are discarded.
   * @param {bigint} total at least 1
   * @returns {bigint} 0 to total - 1
   */
  below(total) {
    const bits = bitLength(total - 1n);
    const count = Math.ceil(bits / WORD_BITS);
    const top = (1n << BigInt(bits - WORD_BITS * Math.max(count - 1, 0))) - 1n;
    for (;;) {
      let number = 0n;
      for (let place = 0; place < count; place += 1) {
        const word = BigInt(this.#word());
        number = (number << 32n) | (place === 0 ? word & top : word);
      }
      if (number < total) {
        return number;
      }
    }
  }

  /** @returns {number} the next word */
  #word() {
    if (this.#next === this.#words.length) {
      this.#words = this.#fill();
      this.#next = 0;
      // Only a Uint32Array is certain to contain unsigned whole words.
      if (!(this.#words instanceof Uint32Array) || this.#words.length === 0) {
        this.#words = new Uint32Array(0);
        throw new NoGenerator("The generator gave no words.");
      }
    }
    const word = this.#words[this.#next];
    // Erase a word as soon as it is used.
    this.#words[this.#next] = 0;
    this.#next += 1;
    this.#used += 1;
    return word;
  }
}

/**
 * Makes a source of words from the platform's cryptographic generator.
 * @param {number} draws number of draws needed; each fill has 16 words more
 * @returns {() => Uint32Array}
 * @throws {NoGenerator} immediately if there is no such generator; a fill throws it if the generator fails
 */
export function platformFill(draws) {
  if (!Number.isSafeInteger(draws) || draws < 0) {
    throw new RangeError(`draws = ${draws} is not a number of draws; give a whole number from 0 on`);
  }
  const generator = globalThis.crypto;
  // Checked here and not only at sealing, because a page must know before its first question that it
  // cannot protect the answers. Words are drawn at sealing, so that none waits in memory.
  if (typeof generator?.getRandomValues !== "function") {
    throw new NoGenerator("This browser has no cryptographic random generator.");
  }
  return () => {
    try {
      return generator.getRandomValues(new Uint32Array(draws + SPARE));
    } catch (error) {
      throw new NoGenerator("The browser's cryptographic random generator failed.", { cause: error });
    }
  };
}
