/**
 * Put a frame into a plain HTML form. The page has, where the box is to stand:
 *
 *   <div data-sotto="https://sotto.uni.example/DIGEST/" data-name="protected"></div>
 *   <script src="form.js" defer></script>
 *
 * The form gets a hidden field of that name. Its line of text is sent with the form like any other answer.
 */

for (const place of document.querySelectorAll("[data-sotto]")) {
  const address = new URL("index.html", place.dataset.sotto);
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: place.dataset.name });
  const frame = Object.assign(document.createElement("iframe"), { src: address.href, title: "Protected question" });
  frame.style.cssText = "border: 0; inline-size: 100%; block-size: 60rem";
  const form = place.closest("form");
  place.append(frame, field);

  const tell = (message) => frame.contentWindow.postMessage({ sotto: 1, ...message }, address.origin);

  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin || data?.sotto !== 1) {
      return;
    }
    if (typeof data.height === "number") {
      frame.style.blockSize = `${data.height}px`;
      if (field.value) {
        tell({ value: field.value });
      }
    } else if (typeof data.value === "string") {
      field.value = data.value;
      tell({ stored: true });
    }
  });

  form.addEventListener("submit", (event) => {
    if (!field.value && place.hasAttribute("data-required")) {
      event.preventDefault();
      frame.focus();
      return;
    }
    if (field.value) {
      tell({ complete: true });
    }
  });
}
