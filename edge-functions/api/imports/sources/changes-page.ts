import { requireAddress } from "./pages.ts";
import type { Source } from "./source.ts";

export const changesPage: Source = async (client, { address }) => {
  const page = requireAddress(client, address);
  const url = new URL("/api/json?limit=1000", page);
  const { text } = await client.ask({ url, headers: { accept: "application/json" } });
  if (!Array.isArray(client.parse(text))) throw client.refuse("changes.page sent a response without a list of posts");
  return { name: "changes-page.json", text, address: page.origin, next: null };
};
