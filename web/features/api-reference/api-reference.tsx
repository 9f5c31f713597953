import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { useEffect, useId, useRef } from "react";
import { useShownTheme } from "../../lib/theme.ts";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { Input } from "../../ui/input.tsx";
import type { Description, Operation } from "./description.ts";
import { ErrorCodes } from "./error-codes.tsx";
import "./api-reference.css";

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

/** Swagger UI without its authorization, servers or a second main landmark. */
const bare = ({ React }: { React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown } }) => {
  const renderNothing = () => () => null;
  const Bare = ({ getComponent, specSelectors }: LayoutProps) => {
    if (specSelectors.specStr() === "") return null;
    const parts = ["InfoContainer", "operations", "Webhooks"].map((name) => React.createElement(getComponent(name, true), { key: name }));
    return React.createElement("div", { className: "swagger-ui" }, ...parts);
  };
  const nameBody = (TextArea: unknown) => (props: object) => React.createElement(TextArea, { "aria-label": "Request body", ...props });
  return {
    components: { Bare },
    wrapComponents: { authorizeBtn: renderNothing, authorizeOperationBtn: renderNothing, TextArea: nameBody },
  };
};

interface TriedRequest {
  headers: Record<string, string>;
}

interface LayoutProps {
  getComponent(name: string, connected: boolean): unknown;
  specSelectors: { specStr(): string };
}

/** API reference in Swagger UI. Calls can be tried out with a key, which stays in the field. */
export function ApiReference({ description }: { description: Description }) {
  const box = useRef<HTMLDivElement>(null);
  const key = useRef<HTMLInputElement>(null);
  const keyId = useId();
  const theme = useShownTheme();
  useEffect(() => {
    const container = document.createElement("div");
    box.current!.replaceChildren(container);
    SwaggerUI({
      domNode: container,
      spec: { ...withShortErrors(description), servers: [{ url: window.location.origin }] },
      plugins: [bare],
      layout: "Bare",
      showMutatedRequest: false, // its curl would show the key
      requestInterceptor: (request: TriedRequest) => {
        const secret = key.current!.value.trim();
        if (secret !== "") request.headers["Authorization"] = `Bearer ${secret}`;
        return { ...request, credentials: "omit" };
      },
      defaultModelsExpandDepth: -1,
      syntaxHighlight: { activated: false },
    });
    return () => container.remove();
  }, [description]);
  useEffect(() => {
    document.documentElement.classList.toggle("dark-mode", theme === "dark"); // switches Swagger UI's colours
    return () => document.documentElement.classList.remove("dark-mode");
  }, [theme]);
  return (
    <>
      <FieldFrame
        id={keyId}
        label="API key"
        optional
        hint="Fill this in to try calls out. They read and change your workspace. The key isn't stored."
      >
        <Input ref={key} id={keyId} type="password" autoComplete="off" spellCheck={false} aria-describedby={`${keyId}-hint`} />
      </FieldFrame>
      <div ref={box} />
      <ErrorCodes description={description} />
    </>
  );
}
