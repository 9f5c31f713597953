import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { useEffect, useRef } from "react";
import "./api-reference.css";
import { type Description, forPrograms } from "./for-programs.ts";

/** Of swagger-ui's own parts those that show: no place for a key, nothing that sends, no main part beside the page's. */
const plugin = ({ React }: { React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown } }) => {
  const nothing = () => null;
  const ReadOnly = ({ getComponent, specSelectors }: LayoutProps) => {
    if (specSelectors.specStr() === "") return null;
    const parts = ["InfoContainer", "operations", "Webhooks"].map((name) => React.createElement(getComponent(name, true), { key: name }));
    return React.createElement("div", { className: "swagger-ui" }, ...parts);
  };
  return { components: { ReadOnly }, wrapComponents: { authorizeBtn: () => nothing, authorizeOperationBtn: () => nothing } };
};

interface LayoutProps {
  getComponent(name: string, connected: boolean): unknown;
  specSelectors: { specStr(): string };
}

/** The description of the API, shown by swagger-ui in our colours. It asks nobody for anything: what it shows is handed to it. */
export function ApiReference({ description }: { description: Description }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const into = document.createElement("div");
    box.current!.replaceChildren(into);
    SwaggerUI({
      domNode: into,
      spec: forPrograms(description),
      plugins: [plugin],
      layout: "ReadOnly",
      validatorUrl: null,
      supportedSubmitMethods: [],
      deepLinking: false, // its links would stand in buttons
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      defaultModelRendering: "model",
      displayOperationId: false,
      syntaxHighlight: { activated: false },
    });
    const stop = mend(into);
    return () => {
      stop();
      into.remove();
    };
  }, [description]);
  return <div ref={box} />;
}

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
function mend(box: Element): () => void {
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
