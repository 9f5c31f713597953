import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { useEffect, useRef } from "react";
import { useShownTheme } from "../../lib/theme.ts";
import "./api-reference.css";
import { type Description, forPrograms } from "./for-programs.ts";

/** Swagger UI's parts that only show: no place for a key or a server, and no second main landmark. */
const readOnly = ({ React }: { React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown } }) => {
  const nothing = () => () => null;
  const ReadOnly = ({ getComponent, specSelectors }: LayoutProps) => {
    if (specSelectors.specStr() === "") return null;
    const parts = ["InfoContainer", "operations", "Webhooks"].map((name) => React.createElement(getComponent(name, true), { key: name }));
    return React.createElement("div", { className: "swagger-ui" }, ...parts);
  };
  return { components: { ReadOnly }, wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } };
};

interface LayoutProps {
  getComponent(name: string, connected: boolean): unknown;
  specSelectors: { specStr(): string };
}

/** The description of the API in Swagger UI, which requests nothing: it gets the description as an object. */
export function ApiReference({ description }: { description: Description }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  useEffect(() => {
    const into = document.createElement("div");
    box.current!.replaceChildren(into);
    SwaggerUI({
      domNode: into,
      spec: forPrograms(description),
      plugins: [readOnly],
      layout: "ReadOnly",
      supportedSubmitMethods: [],
      defaultModelsExpandDepth: -1,
      syntaxHighlight: { activated: false },
    });
    return () => into.remove();
  }, [description]);
  useEffect(() => {
    document.documentElement.classList.toggle("dark-mode", theme === "dark"); // switches Swagger UI's colours
    return () => document.documentElement.classList.remove("dark-mode");
  }, [theme]);
  return <div ref={box} />;
}
