import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { RunningStack } from "../../support/stack.ts";

export interface Changelog {
  id: string;
  subdomain: string;
  origin: string;
  sql: postgres.Sql;
  end(): Promise<void>;
}

const paragraph = (text: string) => ({ type: "paragraph", data: { text } });

const article = [
  paragraph('You can now switch to a <b>dark theme</b>. <a href="https://example.com/dark">More about it</a>.'),
  { type: "header", data: { text: "How to turn it on", level: 2 } },
  { type: "list", data: { style: "ordered", items: [{ content: "Open the settings" }, { content: "Choose <i>Dark</i>" }] } },
  { type: "code", data: { code: "theme: dark" } },
  {
    type: "table",
    data: {
      withHeadings: true,
      content: [
        ["Theme", "Since"],
        ["Dark", "today"],
      ],
    },
  },
  {
    type: "checklist",
    data: {
      items: [
        { text: "Web", checked: true },
        { text: "Mobile", checked: false },
      ],
    },
  },
  { type: "quote", data: { text: "Easy on the eyes.", caption: "A reader" } },
];

export async function newChangelog(stack: RunningStack, { allowedOrigins = [] as string[], settings = {} } = {}): Promise<Changelog> {
  const sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
  const subdomain = `read-${randomUUID().slice(0, 13)}`;
  const [workspace] = await sql<{ id: string }[]>`
    insert into public.workspaces (name, subdomain, origin, allowed_origins, public_changelog_enabled)
    values ('Acme', ${subdomain}, 'https://acme.example', ${allowedOrigins}::text[], true) returning id`;
  const { id } = workspace!;
  await sql`insert into public.widget_settings (workspace_id, settings) values (${id}, ${sql.json(settings as never)})`;
  const changelog = { id, subdomain, origin: stack.publicUrl.replace("//", `//${subdomain}.`), sql, end: () => sql.end() };
  await publish(changelog, "Faster exports", { at: "2026-01-10T10:00:00Z", blocks: [paragraph("Exports take half the time.")] });
  await publish(changelog, "Webhooks", { at: "2026-02-10T10:00:00Z", blocks: [paragraph("Hear of everything.")], tags: ["feature"] });
  await publish(changelog, "Dark mode", { at: "2026-03-10T10:00:00Z", blocks: article, tags: ["feature", "docs"] });
  return changelog;
}

interface Wish {
  at: string;
  blocks: unknown[];
  tags?: string[];
}

export async function publish({ id, sql }: Pick<Changelog, "id" | "sql">, title: string, { at, blocks, tags = [] }: Wish): Promise<string> {
  const [post] = await sql<{ id: string }[]>`
    insert into public.posts (workspace_id, title, tags, content_raw, author_name)
    values (${id}, ${title}, ${tags}, ${sql.json({ time: 0, blocks, version: "2.28.2" } as never)}, 'Ada Lovelace') returning id`;
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`update public.posts set status = 'published', published_at = ${at} where id = ${post!.id}`;
  });
  return post!.id;
}
