import { load } from "../data.ts";
import type { Data, Reader } from "../widget.ts";

/** The posts for a reader, or of a preview link, such as https://acme.example/?tidings-preview={token}. Throws without a token. */
export async function identified(address: string, reader: Reader | undefined, workspace: string, signal: AbortSignal): Promise<Data> {
  const preview = new URLSearchParams(location.search).get("tidings-preview");
  if (preview) return load(address.replace("widget.json", `preview/${encodeURIComponent(preview)}/widget.json`), signal);
  const post = async <Answer>(query = ""): Promise<Answer> => {
    const body = typeof reader === "function" ? await reader() : reader!;
    return load(address + query, signal, { method: "POST", body });
  };
  const data = await post<Data>();
  const { seen_up_to: seen, posts } = data;
  if (seen !== undefined) {
    try {
      const key = `tc:widget:${workspace}`;
      if (seen && !(localStorage[key] > seen)) localStorage[key] = seen;
    } catch {}
    const newest = posts
      .map(({ published_at: time }) => time)
      .filter((time) => !time.startsWith("+"))
      .sort()
      .at(-1); // oxlint-disable-line unicorn/no-array-sort
    data.mark = () => newest && void post(`&seen=${newest}`).catch(() => {});
  }
  return data;
}
