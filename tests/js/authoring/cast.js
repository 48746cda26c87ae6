/** A definition for tests of the builder. */

export const survey = () => ({
  sotto: 1,
  slug: "work",
  languages: ["en", "zh-hans"],
  title: { en: "Work", "zh-hans": "工作" },
  practice: false,
  about: { researcher: { en: "Ana", "zh-hans": "安娜" } },
  group: { policy: "protected" },
  blocks: [
    {
      key: "you",
      protected: false,
      title: { en: "You", "zh-hans": "您" },
      questions: [
        { key: "leads", kind: "yes_no", text: { en: "Do you lead?" } },
        {
          key: "years",
          kind: "single",
          text: { en: "How long?" },
          options: [
            { key: "short", text: { en: "Short" } },
            { key: "long", text: { en: "Long" } },
          ],
        },
      ],
    },
    {
      key: "silence",
      protected: true,
      truth_probability: 5000,
      refusal: 3334,
      asked_if: { question: "years", options: ["long"] },
      title: { en: "Silence" },
      questions: [
        { key: "kept", kind: "yes_no", text: { en: "Kept quiet?" }, help: { en: "Once is enough." }, unrelated: [5000], prevalence: [2000] },
      ],
    },
  ],
});
