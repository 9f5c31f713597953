import { requireAddress } from "./pages.ts";
import type { Source } from "./source.ts";

export const changesPage: Source = async (asking, { address }) => {
  const page = requireAddress(asking, address);
  const url = new URL("/api/json?limit=1000", page);
  const { text } = await asking.ask({ url, headers: { accept: "application/json" } });
  if (!Array.isArray(asking.parse(text))) throw asking.refuse("changes.page sent a response without a list of posts");
  return { name: "changes-page.json", text, address: page.origin, next: null };
};
