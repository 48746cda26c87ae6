/** The page of a new survey: proposes an address from what is chosen, until somebody writes one. */

/** @param {string} text @returns {string} what of it can stand in an address; maybe nothing */
export function addressFrom(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-+|-+$/g, "");
}

function propose(form, slug) {
  const { source, title, template, survey, file } = form.elements;
  const sources = {
    scratch: () => title.value,
    template: () => template.value,
    duplicate: () => (survey ? `${survey.value}-2` : ""),
    definition: () => (file.files[0]?.name ?? "").replace(/\.[^.]*$/, ""),
    xlsform: () => (file.files[0]?.name ?? "").replace(/\.[^.]*$/, ""),
  };
  slug.value = addressFrom(sources[source.value]?.() ?? "");
}

if (typeof document !== "undefined") {
  const form = document.querySelector(".new-survey");
  const slug = form.elements.slug;
  let isOwn = slug.value !== "";
  slug.addEventListener("input", () => (isOwn = slug.value !== ""));
  form.addEventListener("input", ({ target }) => target !== slug && !isOwn && propose(form, slug));
  // Who was faster than this script is about to write.
  if (!isOwn && document.activeElement !== slug) {
    propose(form, slug);
  }
}
