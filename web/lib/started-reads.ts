const started = new Map<string, Promise<Response>>();
const startedForMs = 10_000;

export const jsonContent = { "content-type": "application/json" };

/** Sends a read before the code that needs it has loaded. The next call of this URL takes the response. */
export function startRead(url: string): void {
  const response = fetch(url, { credentials: "include", headers: { accept: "application/json", ...jsonContent } });
  response.catch(() => undefined); // thrown by the call that takes it
  started.set(url, response);
  setTimeout(() => started.delete(url), startedForMs);
}

export function takeStartedRead(method: string, url: string): Promise<Response> | undefined {
  const response = method === "GET" ? started.get(url) : undefined;
  if (response) started.delete(url);
  return response;
}

/** For a new session. */
export const forgetStartedReads = (): void => started.clear();
