import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { useEffect, useRef } from "react";
import "./api-reference.css";
import { type Description, forPrograms } from "./for-programs.ts";
import { mend } from "./mend.ts";

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
