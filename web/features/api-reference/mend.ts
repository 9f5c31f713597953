/** What swagger-ui leaves out for those who do not see it or use no mouse: which of its elements, and what they lack. */
const lacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ".opblock-tag, .webhooks > div > h2, .webhooks > h2": { role: "heading", "aria-level": "2" },
  ".opblock-body h4": { role: "heading", "aria-level": "3" },
  ".opblock-body h5": { role: "heading", "aria-level": "4" },
  "button.json-schema-2020-12-accordion:empty, button.json-schema-2020-12-accordion:not(:has(.json-schema-2020-12__title))": {
    "aria-label": "Fields",
  },
  pre: { tabindex: "0" },
};

/** Adds it, as often as something is shown anew; answers how to stop. */
export function mend(box: Element): () => void {
  const addAll = () => {
    for (const [selector, attributes] of Object.entries(lacks)) {
      for (const element of box.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  };
  const observer = new MutationObserver(addAll);
  observer.observe(box, { childList: true, subtree: true });
  addAll();
  return () => observer.disconnect();
}
