/**
 * Exact whole-number draws from random 32-bit words (protocol coins-1). Twin of privacy/coins.py.
 *
 * A draw is 0 to 9999. Words from LIMIT on are skipped: below LIMIT each value has exactly 429,496
 * words, so a draw is below a threshold t with probability t / 10000 exactly.
 */

/** Every probability is a whole number of ten-thousandths. */
export const SCALE = 10000;

/** Words from here on are skipped. */
export const LIMIT = 4294960000;

/** Words that are filled beyond the number of draws, to make up for skipped ones. */
const SPARE = 16;

const WORD_BITS = 32;

/** @param {bigint} number 0 or more @returns {number} its bits */
function bitLength(number) {
  return number === 0n ? 0 : number.toString(2).length;
}

/** @param {bigint} total @returns {number} words that one try of below(total) takes */
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

/** This device has no cryptographic generator, or it failed: nothing may be disguised or sent. */
export class NoGenerator extends Error {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "NoGenerator";
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

  /** @param {() => Uint32Array} fill gives fresh words, first and whenever the last ones are used up */
  constructor(fill) {
    this.#fill = fill;
  }

  /** Words taken so far, skipped ones included. */
  get used() {
    return this.#used;
  }

  /**
   * Takes words until one counts.
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
   * Takes words until they make a number below `total`, each equally likely. A try takes as many words as the
   * number has, the highest first, cut to as many bits as total - 1 has; larger numbers are thrown away.
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
      // Only a Uint32Array is certain to hold unsigned whole words.
      if (!(this.#words instanceof Uint32Array) || this.#words.length === 0) {
        this.#words = new Uint32Array(0);
        throw new NoGenerator("The generator gave no words.");
      }
    }
    const word = this.#words[this.#next];
    // A word is forgotten as soon as it is used.
    this.#words[this.#next] = 0;
    this.#next += 1;
    this.#used += 1;
    return word;
  }
}

/**
 * Makes a source of words from the platform's cryptographic generator.
 * @param {number} draws draws that are needed; each fill brings 16 words more
 * @returns {() => Uint32Array}
 * @throws {NoGenerator} at once when there is no such generator; a fill throws it when it fails
 */
export function platformFill(draws) {
  if (!Number.isSafeInteger(draws) || draws < 0) {
    throw new RangeError(`draws = ${draws} is not a number of draws; give a whole number from 0 on`);
  }
  const generator = globalThis.crypto;
  // Asked for now and not only at the seal: a page must learn before its first question that it
  // cannot protect the answers. Words are taken at the seal, so that none waits in memory.
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
