/*
 * Pictures as PNG: this browser draws the page's SVG with its fonts, at 300 dots per inch, or a card at its size in pixels. Without JavaScript, only the link
 * to the SVG is there.
 */

const DOTS_PER_MILLIMETRE = 300 / 25.4;

/** Dots of a length of a picture: "84mm" on paper, or "1200" on a screen. @param {string} length */
export const dotsOf = (length) => Math.round(parseFloat(length) * (length.endsWith("mm") ? DOTS_PER_MILLIMETRE : 1));

/** Return the CRC of some bytes, as in PNG. */
export function crc(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

/** Return a PNG with its size on paper; the header of a PNG has 33 bytes. */
export function sized(png, dotsPerMetre) {
  const chunk = new DataView(new ArrayBuffer(21));
  chunk.setUint32(0, 9);
  chunk.setUint32(4, 0x70485973); // pHYs
  chunk.setUint32(8, dotsPerMetre);
  chunk.setUint32(12, dotsPerMetre);
  chunk.setUint8(16, 1);
  chunk.setUint32(17, crc(new Uint8Array(chunk.buffer, 4, 13)));
  return new Blob([png.slice(0, 33), chunk.buffer, png.slice(33)], { type: "image/png" });
}

async function save(link) {
  const picture = new Image();
  picture.src = link.href;
  await picture.decode();
  const svg = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "image/svg+xml").documentElement;
  const canvas = document.createElement("canvas");
  canvas.width = dotsOf(svg.getAttribute("width"));
  canvas.height = dotsOf(svg.getAttribute("height"));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const drawn = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const file = document.createElement("a");
  file.href = URL.createObjectURL(sized(await drawn.arrayBuffer(), Math.round(1000 * DOTS_PER_MILLIMETRE)));
  file.download = link.dataset.png;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

if (typeof document !== "undefined") {
  document.querySelectorAll("[data-png][hidden]").forEach((link) => link.removeAttribute("hidden"));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-png]");
    if (link) {
      event.preventDefault();
      save(link);
    }
  });
}
