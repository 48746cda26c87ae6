/**
 * Put a frame into a SurveyJS form, survey-core 3. After survey.core.js, before the model is created:
 *
 *   <script src="surveyjs.js"></script>
 *
 * In the form's JSON, a question names the frame, and stores its line of text as the answer:
 *
 *   { "type": "text", "name": "protected", "title": "Protected", "sottovoce": "https://sottovoce.uni.example/DIGEST/" }
 *
 * When the model has been created: sottovoceFrames(model);
 * If the parts of a series take turns: sottovoceFrames(model, "4711"), with the number or code by which you know the person
 * in all its surveys.
 */

Survey.Serializer.addProperty("text", "sottovoce");

window.sottovoceFrames = (model, person) => {
  const shown = new Map();

  model.onAfterRenderQuestion.add((_model, { question, htmlElement }) => {
    const input = question.sottovoce && htmlElement.querySelector("input");
    if (!input) {
      return;
    }
    const address = new URL("index.html", question.sottovoce);
    const frame = Object.assign(document.createElement("iframe"), { src: address.href, title: question.title });
    frame.style.cssText = "border: 0; inline-size: 100%; block-size: 60rem";
    input.style.display = "none";
    input.after(frame);
    shown.set(question.name, { question, frame, origin: address.origin });
  });

  const tell = ({ frame, origin }, message) => frame.contentWindow?.postMessage({ sotto: 1, ...message }, origin);

  window.addEventListener("message", ({ source, origin, data }) => {
    const place = [...shown.values()].find(({ frame }) => frame.contentWindow === source);
    if (!place || origin !== place.origin || data?.sotto !== 1) {
      return;
    }
    if (typeof data.height === "number") {
      place.frame.style.blockSize = `${data.height}px`;
      if (place.question.value) {
        tell(place, { value: place.question.value });
      } else if (person !== undefined) {
        tell(place, { person });
      }
    } else if (typeof data.value === "string") {
      place.question.value = data.value;
      tell(place, { stored: true });
    } else if (data.done === true) {
      place.question.isRequired = false;
    }
  });

  // Tell the frame before it is removed with its page.
  let told = false;
  model.onCompleting.add((_model, options) => {
    const places = [...shown.values()].filter(({ question }) => question.value);
    if (!told && places.length > 0) {
      told = true;
      options.allow = false;
      places.forEach((place) => tell(place, { complete: true }));
      setTimeout(() => model.doComplete(), 100);
    }
  });
};
