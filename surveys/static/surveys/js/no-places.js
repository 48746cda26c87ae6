/** Stands in a frame for places.js, under its names: a frame asks for no place, and need not carry what maps take. */

const none = () => {
  throw new RangeError("a frame asks for no place");
};

export const cellCount = none;
export const commonMultiple = none;
export const isExactOutside = none;
export const placeDecoys = none;
export const placeTotal = none;
export const sentPlace = none;
