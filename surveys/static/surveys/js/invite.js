/**
 * Pages of those who invite: copy a reminder, print a sheet, keep its codes as a file.
 *
 * A sheet is shown once, so leaving it before it was printed or kept asks first. Without this script the texts can be
 * marked and the sheet be printed by the browser's own menu.
 */

for (const button of document.querySelectorAll("[data-copy]")) {
  const text = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector("[role=status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      status.textContent = status.dataset.copied;
    } catch {
      // No permission, or no https: mark it instead.
      window.getSelection().selectAllChildren(text);
      status.textContent = status.dataset.marked;
    }
  });
}

const kept = document.getElementById("codes-file");
if (kept) {
  const { name, text } = JSON.parse(kept.textContent);
  let isSafe = false;
  const [print, save] = ["print", "save"].map((what) => document.querySelector(`[data-${what}]`));
  print.hidden = save.hidden = false;
  print.addEventListener("click", () => window.print());
  save.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
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
}
