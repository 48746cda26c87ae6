/**
 * Put a frame into a jsPsych experiment, version 8, as a separate trial. After jspsych's index.browser.js:
 *
 *   <script src="jspsych.js"></script>
 *   timeline.push({ type: jsPsychSottovoce, address: "https://sottovoce.uni.example/DIGEST/", next: "Continue" });
 *
 * If the parts of a series take turns, add person: "4711", the number or code by which you know the person in all its
 * surveys. The trial's data has the frame's line of text as `value`, empty if a completed experiment is loaded again.
 */

window.jsPsychSottovoce = class {
  static info = {
    name: "sottovoce",
    version: "1.0.0",
    parameters: {
      address: { type: jsPsychModule.ParameterType.STRING, default: undefined },
      title: { type: jsPsychModule.ParameterType.STRING, default: "Protected question" },
      next: { type: jsPsychModule.ParameterType.STRING, default: "Continue" },
      person: { type: jsPsychModule.ParameterType.STRING, default: null },
    },
    data: { value: { type: jsPsychModule.ParameterType.STRING } },
  };

  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }

  trial(display, { address, title, next, person }) {
    const { href, origin } = new URL("index.html", address);
    const frame = Object.assign(document.createElement("iframe"), { src: href, title });
    frame.style.cssText = "border: 0; inline-size: min(100vw, 44rem); block-size: 60rem";
    const button = Object.assign(document.createElement("button"), { textContent: next, className: "jspsych-btn" });
    button.hidden = true;
    display.append(frame, button);
    const tell = (message) => frame.contentWindow.postMessage({ sotto: 1, ...message }, origin);
    let value = "";

    const listen = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin || data?.sotto !== 1) {
        return;
      }
      if (typeof data.height === "number") {
        frame.style.blockSize = `${data.height}px`;
        if (person !== null) {
          tell({ person });
        }
      } else if (typeof data.value === "string" || data.done === true) {
        value = data.value ?? "";
        tell({ stored: true });
        button.hidden = false;
      }
    };
    window.addEventListener("message", listen);

    button.addEventListener("click", () => {
      tell({ complete: true });
      window.removeEventListener("message", listen);
      // Wait, so that the frame gets the message before it is removed.
      setTimeout(() => {
        display.replaceChildren();
        this.jsPsych.finishTrial({ value });
      }, 100);
    });
  }
};
