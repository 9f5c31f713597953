import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";
import type { PostStatus, Role } from "#contract/kinds.ts";
import type { ListedPost } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { acme, draft, emptyDashboard, ids, signedIn } from "./fixtures.ts";
import { renderApp } from "./render-app.tsx";
import { type Asked, stubApi } from "./stub-api.ts";

export const address = `/workspace/${ids.acme}/dashboard`;
export const idOf = (number: number) => `aaaaaaaa-aaaa-4aaa-8aaa-${String(number).padStart(12, "0")}`;

export const post = (number: number, changes: Partial<ListedPost> = {}): ListedPost => ({
  ...draft,
  id: idOf(number),
  title: `Post ${number}`,
  slug: `post-${number}`,
  updated_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  ...changes,
});
const statuses: PostStatus[] = ["draft", "published", "scheduled"];
export const creators = ["Ada Lovelace", "Grace Hopper", "O'Neil"];
const later = new Date(Date.now() + 86_400_000).toISOString();
export const twelve = Array.from({ length: 12 }, (_, index) =>
  post(index, {
    status: statuses[index % 3],
    author_name: creators[Math.floor(index / 3) % 3] ?? null,
    publish_at: index % 3 === 2 ? later : null,
  }),
);
const put = post(99, { title: "Put away", status: "archived", archived_at: later });

export const listOf =
  (posts: readonly ListedPost[], archived: readonly ListedPost[] = [put]) =>
  ({ path }: Asked) => {
    const query = new URL(path, location.origin).searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    const [status, owner, term] = [query.get("status")!, query.get("owner")?.toLowerCase(), query.get("q")?.toLowerCase() ?? ""];
    const recent = query.get("sort") === "recent_activity";
    const found = (status === "archived" ? archived : posts)
      .filter((one) => status === "all" || one.status === status)
      .filter((one) => owner === undefined || creatorName(one).toLowerCase() === owner)
      .filter((one) => `${one.title}|${creatorName(one)}`.toLowerCase().includes(term))
      .toSorted((one, other) => (recent ? Date.parse(other.updated_at) - Date.parse(one.updated_at) : byHash(other) - byHash(one)));
    return {
      posts: found.slice((page - 1) * limit, page * limit),
      pagination: { page, pages: Math.max(1, Math.ceil(found.length / limit)), total: found.length },
    };
  };
const byHash = ({ title }: ListedPost) => (Number(title.slice(5)) * 7) % 13;

export const stubs = (posts: readonly ListedPost[] = twelve, role: Role = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/dashboard/*/all": { ...emptyDashboard, count: posts.length, recentPosts: posts.slice(0, 20), creators, views: 7 },
  "GET /api/workspaces/*/add-ons": { add_ons: [{ add_on: "analytics", granted_at: later }], requested: [], included: true },
  "GET /api/posts/upcoming": { posts: [] },
  "GET /api/workspaces/*/posts": listOf(posts),
  "GET /api/workspaces/*/tags": { tags: [{ key: "fix", label: "Fix", colour: "orange" }], carried: [], former: {} },
});

export async function open(query = "", api = stubApi(stubs())) {
  const app = renderApp(`${address}${query}`);
  await screen.findByRole("search", { name: "Posts" });
  await waitFor(() => expect(screen.queryByText("Loading posts")).toBeNull());
  return { ...app, api };
}
export const titles = () =>
  screen
    .queryAllByRole("row")
    .slice(1)
    .map((row) => within(row).getByRole("link").textContent);
export const search = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search posts" });
export const filter = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name });
export const choiceOf = (name: string) => filter(name).selectedOptions[0]?.textContent;
export const range = () => screen.getByText(/^[\d,]+–[\d,]+ of /).textContent;
export const byViews = (posts: readonly ListedPost[]) =>
  posts.toSorted((one, other) => byHash(other) - byHash(one)).map(({ title }) => title);
export const asked = (api: ReturnType<typeof stubApi>) =>
  api
    .to("GET /api/workspaces/*/posts")
    .map(({ path }) => Object.fromEntries(new URL(path, location.origin).searchParams))
    .toReversed();
