import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { useEffect, useRef } from "react";
import { useShownTheme } from "../../lib/theme.ts";
import "./api-reference.css";

interface Operation {
  responses?: Record<string, object>;
}
export interface Description {
  paths: Record<string, Record<string, Operation>>;
}

/** Error responses share one shape, described in the introduction, so only their codes stay. */
function withShortErrors(description: Description): Description {
  const shorten = (operation: Operation): Operation => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses ?? {}).map(([status, response]) => [
        status,
        Number(status) < 400 ? response : { ...response, content: {} },
      ]),
    ),
  });
  const paths = Object.entries(description.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, shorten(operation)])),
  ]);
  return { ...description, paths: Object.fromEntries(paths) as Description["paths"] };
}

/** Swagger UI without authorization, servers or a second main landmark. */
const readOnly = ({ React }: { React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown } }) => {
  const renderNothing = () => () => null;
  const ReadOnly = ({ getComponent, specSelectors }: LayoutProps) => {
    if (specSelectors.specStr() === "") return null;
    const parts = ["InfoContainer", "operations", "Webhooks"].map((name) => React.createElement(getComponent(name, true), { key: name }));
    return React.createElement("div", { className: "swagger-ui" }, ...parts);
  };
  return { components: { ReadOnly }, wrapComponents: { authorizeBtn: renderNothing, authorizeOperationBtn: renderNothing } };
};

interface LayoutProps {
  getComponent(name: string, connected: boolean): unknown;
  specSelectors: { specStr(): string };
}

/** API reference in Swagger UI. Fetches nothing: the description is an object. */
export function ApiReference({ description }: { description: Description }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  useEffect(() => {
    const container = document.createElement("div");
    box.current!.replaceChildren(container);
    SwaggerUI({
      domNode: container,
      spec: withShortErrors(description),
      plugins: [readOnly],
      layout: "ReadOnly",
      supportedSubmitMethods: [],
      defaultModelsExpandDepth: -1,
      syntaxHighlight: { activated: false },
    });
    return () => container.remove();
  }, [description]);
  useEffect(() => {
    document.documentElement.classList.toggle("dark-mode", theme === "dark"); // switches Swagger UI's colours
    return () => document.documentElement.classList.remove("dark-mode");
  }, [theme]);
  return <div ref={box} />;
}
