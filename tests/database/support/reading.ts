import type { Person, PostRow, World } from "./world.ts";

export const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

export type Told = Partial<
  Record<"subdomain" | "what" | "slug" | "source" | "name" | "country" | "language" | "address" | "agent", string | null>
>;
export interface CountRow {
  post_id: string | null;
  what: string;
  day: string;
  source: string;
  n: number;
}

export interface Readers {
  post: PostRow;
  subdomain: string;
  told(...events: Told[]): Promise<number>;
  rollUp(): Promise<number>;
  counts(what: string, of?: "workspace" | "post"): Promise<Record<string, number>>;
}

export async function openWithPost(world: World): Promise<Readers> {
  const { tx, acme } = world;
  const post = await world.post({ status: "published" });
  await world.as("owner", (me) => me`select public.change_workspace(${acme}, '{"public_changelog_enabled": true}')`);
  const [row] = await tx`select subdomain::text from public.workspaces where id = ${acme}`;
  const subdomain = row!.subdomain as string;
  const usual = { subdomain, what: "view", slug: post.slug, address: "203.0.113.7", agent: browser };
  // Other tests' committed entries are rolled up too, and excluded here.
  const waiting = async () => (await tx`select count(*)::int as n from private.count_queue where workspace_id = ${acme}`)[0]!.n as number;
  const rollUp = async () => {
    const before = await waiting();
    await tx`select private.roll_up_counts()`;
    return before - (await waiting());
  };
  return {
    post,
    subdomain,
    rollUp,
    told: async (...events) => {
      const all = events.map((event) => ({ ...usual, ...event }));
      const [answer] = await world.as("anon", (me) => me`select private.count_events(${me.json(all)}) as counted`);
      return answer!.counted as number;
    },
    counts: async (what, of = "workspace") => {
      await rollUp();
      const rows = await tx<CountRow[]>`select source, sum(n)::int as n from public.daily_counts
        where workspace_id = ${acme} and what = ${what} and post_id is not distinct from ${of === "post" ? post.id : null} group by 1 order by 1`;
      return Object.fromEntries(rows.map(({ source, n }) => [source, n]));
    },
  };
}

export const buyAnalytics = ({ as, acme }: World) => as("owner", (me) => me`select public.request_upgrade(${acme}, '{analytics}')`);

export async function numbers({ as, acme }: World, person: Person, from: string | null = null, to: string | null = null): Promise<unknown> {
  return (await as(person, (me) => me`select public.analytics(${acme}, ${from}::text::date, ${to}::text::date) as answer`))[0]!.answer;
}

export async function countedThen({ tx, acme }: World, rows: (Partial<CountRow> & { day: string })[]): Promise<void> {
  const all = rows.map((row) => ({ workspace_id: acme, post_id: null, what: "view", source: "page", n: 1, ...row }));
  await tx`insert into private.count_queue ${tx(all)}`;
  await tx`select private.roll_up_counts()`;
}

export const pageView = (subdomain: string, slug: string, address: string, agent: string | null): string =>
  JSON.stringify([{ subdomain, what: "view", slug, source: "page", address, agent }]);
