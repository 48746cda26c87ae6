/**
 * A sheet of invitations: print it, or save its codes as a file.
 *
 * It is shown only once, so the page asks before it is left without printing or saving. Without this script, the browser's
 * menu can still print it.
 */

const { name, text } = JSON.parse(document.getElementById("codes-file").textContent);
let isSafe = false;
const [print, save] = ["print", "save"].map((what) => document.querySelector(`[data-${what}]`));
print.hidden = save.hidden = false;
print.addEventListener("click", () => window.print());
save.addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
  isSafe = true;
});
window.addEventListener("afterprint", () => {
  isSafe = true;
});
window.addEventListener("beforeunload", (event) => {
  if (!isSafe) {
    event.preventDefault();
  }
});
