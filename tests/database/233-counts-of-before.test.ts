import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { inScratchDatabase } from "../../scripts/schema/scratch-database.ts";
import { migrate } from "../../supabase/local/engine/migrate.ts";

const [workspace, first, second] = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const migrations = "supabase/migrations";

test("what was counted before there were sources is the page's, of each post and of its workspace, by day and by month", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-counts-"));
  const former = path.join(folder, "migrations");
  fs.mkdirSync(former);
  for (const file of fs.readdirSync(migrations))
    if (file < "20261128010000") fs.copyFileSync(path.join(migrations, file), path.join(former, file));
  try {
    await inScratchDatabase(inject("stack"), async (owner, admin) => {
      await migrate(owner, former);
      await admin`set session_replication_role = replica`;
      await admin`insert into public.workspaces (id, name, subdomain) values (${workspace!}, 'Acme', 'acme')`;
      await admin`insert into public.daily_views (workspace_id, post_id, day, views) values (${workspace!}, ${first!}, '2026-10-31', 3),
        (${workspace!}, ${first!}, '2026-11-01', 4), (${workspace!}, ${first!}, '2026-11-02', 0), (${workspace!}, ${second!}, '2026-11-01', 5)`;
      await admin`set session_replication_role = origin`;
      await migrate(owner, migrations);
      expect(await admin`select to_regclass('public.daily_views') as there`).toEqual([{ there: null }]);
      const counts = await admin`select post_id, what, day::text, source, n from public.daily_counts order by post_id nulls first, day`;
      const view = (post_id: string | null, day: string, n: number) => ({ post_id, what: "view", day, source: "page", n });
      expect([...counts]).toEqual([
        view(null, "2026-10-31", 3),
        view(null, "2026-11-01", 9),
        view(first!, "2026-10-31", 3),
        view(first!, "2026-11-01", 4),
        view(second!, "2026-11-01", 5),
      ]);
      const sums =
        await admin`select concat_ws(' ', span, first_day, left(post_id::text, 1), views) as sum from private.post_counts order by span, first_day, post_id`;
      expect(sums.map(({ sum }) => sum as string)).toEqual([
        "day 2026-10-31 b 3",
        "day 2026-11-01 b 4",
        "day 2026-11-01 c 5",
        "month 2026-10-01 b 3",
        "month 2026-11-01 b 4",
        "month 2026-11-01 c 5",
      ]);
      const days = await admin`select day::text, views from private.workspace_counts order by day`;
      expect([...days]).toEqual([
        { day: "2026-10-31", views: 3 },
        { day: "2026-11-01", views: 9 },
      ]);
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
