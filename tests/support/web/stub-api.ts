import { vi } from "vitest";
import { config } from "./fixtures.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";

export interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
  file: File | undefined;
}
type Answer = object | ((asked: Asked) => unknown);

/**
 * Answers fetch by "METHOD /path": the query counts only if the stub has one, `*` matches one segment. An answer is a body, a Response (used once;
 * a function for more), or a function of the request. Calls without a stub get a 404.
 */
export function stubApi(stubs: Record<string, Answer>) {
  const requests: Asked[] = [];
  const answers: Record<string, Answer> = { "GET /api/config": config, ...stubs };
  vi.stubGlobal("fetch", async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input instanceof Request ? input.url : input), location.origin);
    const asked = ask(init, `${url.pathname}${url.search}`);
    requests.push(asked);
    const stub = Object.entries(answers).find(([key]) => fits(key, asked.method, url))?.[1];
    const answer = await (typeof stub === "function" ? (stub as (asked: Asked) => unknown)(asked) : stub);
    if (answer instanceof Response) return answer;
    return answer === undefined ? refusal("not_found") : Response.json(answer);
  });
  return {
    requests,
    set: (more: Record<string, Answer>) => void Object.assign(answers, more),
    to: (key: string) => requests.filter((asked) => fits(key, asked.method, new URL(asked.path, location.origin))),
  };
}

export function refusal(code: ErrorCode, fields?: Record<string, string>): Response {
  const { status, sentence } = errorCatalogue[code];
  return Response.json({ error: sentence, code, fields }, { status });
}

export function pending<Value>() {
  return Promise.withResolvers<Value>();
}

function ask(init: RequestInit, path: string): Asked {
  const form = init.body instanceof FormData ? init.body : undefined;
  const file = form && [...form.values()].find((value): value is File => value instanceof File);
  const headers = new Headers(init.headers);
  return { method: init.method ?? "GET", path, headers, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined, file };
}

function fits(key: string, method: string, url: URL): boolean {
  const [wantedMethod, wanted = ""] = key.split(" ");
  const [path = "", query] = wanted.split("?");
  const pattern = new RegExp(
    `^${path
      .split("*")
      .map((part) => part.replace(/[.]/g, "\\."))
      .join("[^/]+")}$`,
  );
  return wantedMethod === method && pattern.test(url.pathname) && (query === undefined || url.search === `?${query}`);
}
