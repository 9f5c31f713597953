import type { IdentifiedWidgetData as WidgetData } from "#contract/releases.ts";

export type Post = WidgetData["posts"][number];

const patienceMs = 10_000;

/** Fetch with a timeout and `signal`, both covering the body. */
export function ask(address: string, signal: AbortSignal, request?: RequestInit): Promise<Response> {
  const late = new AbortController();
  const end = (): void => late.abort();
  setTimeout(end, patienceMs);
  signal.addEventListener("abort", end);
  return fetch(address, { credentials: "omit", signal: late.signal, ...request });
}

/** Throws on errors and timeouts. */
export async function load<Answer>(...request: Parameters<typeof ask>): Promise<Answer> {
  const answer = await ask(...request);
  if (!answer.ok) throw answer;
  return answer.json() as Promise<Answer>;
}

/** Removes unsafe URLs; throws on malformed data. */
export function checked<Data extends WidgetData>(data: Data): Data {
  if (!isWeb(data.workspace.url)) throw data;
  data.posts = data.posts.filter(({ url }) => isWeb(url));
  return data;
}

/** Excludes `javascript:` URLs. */
export function isWeb(url: unknown): url is string {
  return /^(?:https?|mailto):/i.test(url as string);
}
