import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import type { WidgetData, WidgetPost } from "#contract/releases.ts";

export type Post = WidgetData["posts"][number];

const patienceMs = 10_000;

/** Everything the widget shows, in one request; throws when it does not come, may not be read or is not what it should be. */
export async function loadData(origin: string, workspace: string, signal: AbortSignal): Promise<WidgetData> {
  return checked((await load(`${origin}/releases/widget.json?workspace=${encodeURIComponent(workspace)}`, signal)) as WidgetData);
}

/** The content of a post that is opened in the panel. */
export async function loadContent(address: string, signal: AbortSignal): Promise<HtmlNode[]> {
  return ((await load(address, signal)) as WidgetPost).content;
}

async function load(address: string, signal: AbortSignal): Promise<unknown> {
  const late = new AbortController();
  const end = (): void => late.abort();
  setTimeout(end, patienceMs);
  signal.addEventListener("abort", end);
  const answer = await fetch(address, { credentials: "omit", signal: late.signal });
  if (!answer.ok) throw answer;
  return answer.json();
}

/** The answer without what could not be shown safely; throws on what is no answer of ours. */
function checked(data: WidgetData): WidgetData {
  if (!isWeb(data.workspace.url)) throw data;
  data.posts = data.posts.filter(({ url }) => isWeb(url));
  return data;
}

/** Only addresses that a link or an image may have; `javascript:` is none. */
export function isWeb(url: unknown): url is string {
  return /^(?:https?|mailto):/i.test(String(url));
}
