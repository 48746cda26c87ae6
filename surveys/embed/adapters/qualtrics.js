/**
 * Put a frame into a Qualtrics survey, as the JavaScript of a descriptive text question. Written from Qualtrics's
 * documentation of the question API, and not yet run inside Qualtrics.
 *
 * Declare the embedded data field __js_protected in the survey flow, before this question. It stores the frame's
 * line of text. Write the frame's address here:
 */
const SOTTOVOCE = "https://sottovoce.uni.example/DIGEST/";
/* If the parts of a series take turns: the number or code by which you know the person in all its surveys; else "". */
const PERSON = "";

Qualtrics.SurveyEngine.addOnload(function () {
  const question = this;
  const { href, origin } = new URL("index.html", SOTTOVOCE);
  const frame = Object.assign(document.createElement("iframe"), { src: href, title: "Protected question" });
  frame.style.cssText = "border: 0; width: 100%; height: 60rem";
  question.getQuestionContainer().append(frame);
  question.hideNextButton();
  const tell = (message) => frame.contentWindow.postMessage({ sotto: 1, ...message }, origin);

  window.addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data?.sotto !== 1) {
      return;
    }
    if (typeof data.height === "number") {
      frame.style.height = `${data.height}px`;
      if (PERSON) {
        tell({ person: PERSON });
      }
    } else if (typeof data.value === "string") {
      Qualtrics.SurveyEngine.setJSEmbeddedData("protected", data.value);
      tell({ stored: true });
      question.showNextButton();
    }
  });
});
