/** Putting parts elsewhere with a pointer. With keys it is done in outline.js and heading.js. */

/**
 * Where a part would go.
 * @param {DOMRect[]} boxes of the rows, from top to bottom
 * @param {number} y of the pointer
 * @returns {{index: number, isAfter: boolean} | null}
 */
export function dropPlace(boxes, y) {
  if (boxes.length === 0) {
    return null;
  }
  const found = boxes.findIndex(({ bottom }) => y < bottom);
  const index = found === -1 ? boxes.length - 1 : found;
  const { top, bottom } = boxes[index];
  return { index, isAfter: y > (top + bottom) / 2 };
}

/** Whether a part may be put beside a row: blocks beside blocks, questions beside questions and below blocks. */
export function accepts(part, target) {
  const isQuestion = part.includes(".questions[");
  return isQuestion ? target.startsWith("blocks[") : /^blocks\[\d+\]$/.test(target);
}

/**
 * @param {HTMLElement} room the outline
 * @param {(part: string, target: string, isAfter: boolean) => void} onPut
 */
export function makeDraggable(room, onPut) {
  let held = null;

  const mark = (place) => {
    for (const row of room.querySelectorAll(".drop-before, .drop-after")) {
      row.classList.remove("drop-before", "drop-after");
    }
    if (place) {
      place.row.classList.add(place.isAfter ? "drop-after" : "drop-before");
    }
  };

  const placeAt = (y) => {
    const rows = Array.from(room.querySelectorAll("[data-part]")).filter((row) => accepts(held.part, row.dataset.part));
    const found = dropPlace(rows.map((row) => row.getBoundingClientRect()), y);
    if (!found) {
      return null;
    }
    const row = rows[found.index];
    // A question put on a part becomes its first one: below the part's row.
    const isBlock = !row.dataset.part.includes(".questions[");
    const isAfter = held.part.includes(".questions[") && isBlock ? true : found.isAfter;
    return { row, target: row.dataset.part, isAfter };
  };

  const end = (event) => {
    if (!held || event.pointerId !== held.pointer) {
      return;
    }
    const place = event.type === "pointerup" && held.moved ? placeAt(event.clientY) : null;
    const { part, row } = held;
    row.classList.remove("dragged");
    mark(null);
    held = null;
    if (place && place.target !== part) {
      onPut(part, place.target, place.isAfter);
    }
  };

  room.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (grip && event.button === 0) {
      event.preventDefault();
      held = { part: grip.dataset.grip, pointer: event.pointerId, row: grip.closest("[data-part]"), moved: false };
      room.setPointerCapture(event.pointerId);
      held.row.classList.add("dragged");
    }
  });
  room.addEventListener("pointermove", (event) => {
    if (held && event.pointerId === held.pointer) {
      held.moved = true;
      mark(placeAt(event.clientY));
    }
  });
  room.addEventListener("pointerup", end);
  room.addEventListener("pointercancel", end);
}
