/**
 * A sheet of invitations: print it, keep its codes as a file.
 *
 * It is shown once, so leaving it before it was printed or kept asks first. Without this script it can be printed by
 * the browser's own menu.
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
