import type { WidgetData } from "#contract/releases.ts";

export type Post = WidgetData["posts"][number];

const patienceMs = 10_000;

/** Asks the server; what has not come in full by then, or when `signal` says so, is given up. */
export function ask(address: string, signal: AbortSignal): Promise<Response> {
  const late = new AbortController();
  const end = (): void => late.abort();
  setTimeout(end, patienceMs);
  signal.addEventListener("abort", end);
  return fetch(address, { credentials: "omit", signal: late.signal });
}

/** An answer of the server as JSON; throws when it does not come or may not be read. */
export async function load<Answer>(address: string, signal: AbortSignal): Promise<Answer> {
  const answer = await ask(address, signal);
  if (!answer.ok) throw answer;
  return answer.json() as Promise<Answer>;
}

/** The answer without what could not be shown safely; throws on what is no answer of ours. */
export function checked(data: WidgetData): WidgetData {
  if (!isWeb(data.workspace.url)) throw data;
  data.posts = data.posts.filter(({ url }) => isWeb(url));
  return data;
}

/** Only addresses that a link or an image may have; `javascript:` is none. */
export function isWeb(url: unknown): url is string {
  return /^(?:https?|mailto):/i.test(url as string);
}
