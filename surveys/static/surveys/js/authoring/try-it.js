/**
 * The draft on made-up people, beside the builder: the page that tells it is shown in a dialog, so that nobody leaves.
 * A link that is opened in another way leads to the same page.
 */

/**
 * @param {HTMLDialogElement} dialog with a room for what the page says, and a line for when it cannot be had
 * @param {HTMLAnchorElement} link to the page
 * @param {() => Promise<boolean>} save whether the draft of now is saved
 */
export function tryInDialog(dialog, link, save) {
  const room = dialog.querySelector("[data-tried]");
  const failed = dialog.querySelector("[data-not-tried]");

  const show = async (address) => {
    room.setAttribute("aria-busy", "true");
    let page = null;
    try {
      const answer = await fetch(address);
      page = answer.redirected ? null : new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      page = null; // The network is away: the line says so, and the link still leads there.
    }
    room.removeAttribute("aria-busy");
    const main = page?.querySelector("main");
    failed.hidden = Boolean(main);
    main?.querySelector(".crumbs")?.remove();
    room.replaceChildren(...(main?.childNodes ?? []));
    const form = room.querySelector("form");
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      show(`${link.href}?${new URLSearchParams(new FormData(form))}`);
    });
  };

  link.addEventListener("click", async (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    if (await save()) {
      dialog.showModal();
      await show(link.href);
    }
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
}
