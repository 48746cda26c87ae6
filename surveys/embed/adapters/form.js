/**
 * Put a frame into a page's form. Add this to the page where the box should appear:
 *
 *   <div data-sottovoce="https://sottovoce.uni.example/DIGEST/" data-name="protected"></div>
 *   <script src="form.js" defer></script>
 *
 * The form gets a hidden field with that name. Its line of text is sent with the form like any other answer. If
 * the tool already has a field, write data-fills="#its-id" instead of data-name: the box replaces that field.
 * If the parts of a series take turns, write data-person="4711" with the number or code by which you know the person in
 * all its surveys. Only the frame gets it, in a message; it is in no address.
 *
 * With data-complete, for the survey's last page, the frame forgets the line. A form that was sent may come back.
 */

for (const place of document.querySelectorAll("[data-sottovoce]")) {
  const address = new URL("index.html", place.dataset.sottovoce);
  const made = Object.assign(document.createElement("input"), { type: "hidden", name: place.dataset.name });
  const field = place.dataset.fills ? document.querySelector(place.dataset.fills) : made;
  if (!field) {
    throw new Error(`form.js: no field here is ${place.dataset.fills}`);
  }
  const frame = Object.assign(document.createElement("iframe"), { src: address.href, title: "Protected question" });
  frame.style.cssText = "border: 0; inline-size: 100%; block-size: 60rem";
  if (field === made) {
    place.append(frame, field);
  } else {
    field.style.display = "none";
    field.after(place);
    place.append(frame);
  }
  const tell = (message) => frame.contentWindow.postMessage({ sotto: 1, ...message }, address.origin);

  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin || data?.sotto !== 1) {
      return;
    }
    if (typeof data.height === "number") {
      frame.style.blockSize = `${data.height}px`;
      if (place.hasAttribute("data-complete")) {
        tell({ complete: true });
      } else if (field.value) {
        tell({ value: field.value });
      } else if (place.dataset.person !== undefined) {
        tell({ person: place.dataset.person });
      }
    } else if (typeof data.value === "string") {
      field.value = data.value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      tell({ stored: true });
    } else if (data.done === true) {
      place.removeAttribute("data-required");
    }
  });

  place.closest("form")?.addEventListener("submit", (event) => {
    if (!field.value && place.hasAttribute("data-required")) {
      event.preventDefault();
      frame.focus();
    }
  });
}
