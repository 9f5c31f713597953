import { startS3Server } from "../../tests/support/s3-server.ts";
import { desk, type Scene, showAs, type Stage } from "./stage.ts";

const broughtAlong = Buffer.from(`# Changelog

## [2.4.0] - 2026-03-17

### Added

- Dark mode, on the web and in the app
- Exports as CSV

## [2.3.1] - 2026-02-02

### Fixed

- Dates of exports are in your own time zone

## [2.3.0] - 2026-01-20

### Changed

- Search finds words inside words

### Security

- Sessions end after thirty days

## [2.2.0] - 2025-11-04

### Added

- <details><summary>Keyboard shortcuts</summary>Press the question mark to see them all</details>
`);

const dashboard: Scene = async (stage) => {
  const dana = await stage.dana();
  await dana.goto(stage.path("dashboard"));
  await dana.getByRole("heading", { name: "Dashboard" }).waitFor();
  await stage.draw(dana, "dashboard");
};

const moving: Scene = async (stage) => {
  const dana = await stage.dana();
  await dana.goto(stage.path("import"));
  await dana.getByLabel(/Choose files or drop/).setInputFiles({ name: "CHANGELOG.md", mimeType: "text/markdown", buffer: broughtAlong });
  await dana.getByRole("table", { name: /posts in CHANGELOG.md/ }).waitFor();
  await stage.draw(dana, "import");
  await dana.getByRole("button", { name: /^Import \d posts?$/ }).click();
  await dana.getByRole("heading", { name: /^Imported / }).waitFor();
  await dana.getByRole("button", { name: "Undo the import of CHANGELOG.md" }).waitFor();
  await dana.setViewportSize({ width: 1280, height: 520 });
  await stage.draw(dana, "imported");
  await dana.setViewportSize(desk);
  await dana.getByRole("button", { name: "Undo the import of CHANGELOG.md" }).click();
  await dana.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await dana.getByRole("dialog").waitFor({ state: "hidden" });
};

const subscribers: Scene = async (stage) => {
  const dana = await stage.dana();
  const names = ["ada", "grace", "hedy", "katherine", "margaret", "radia", "sophie", "tim"];
  const readers = names.map((name, index) => ({
    email: `${name}@reader.example`,
    frequency: (["instant", "weekly", "daily"] as const)[index % 3]!,
    tags: index % 4 === 3 ? ["fix"] : null,
  }));
  await stage.ask(dana, "POST", stage.api("subscribers/import"), { readers, declared: true });
  await stage.sql`
    update public.subscribers set confirmed_at = confirmed_at - (length(email) * 37 % 80) * interval '1 day', created_at = created_at - (length(email) * 37 % 80) * interval '1 day'
    where workspace_id = ${stage.workspaceId}`;
  await dana.goto(stage.path("subscribers"));
  await dana.getByText("tim@reader.example").waitFor();
  await stage.draw(dana, "subscribers");
};

const analytics: Scene = async (stage) => {
  const dana = await stage.dana();
  await stage.add("analytics");
  const id = stage.workspaceId;
  await stage.sql`
    insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    select p.workspace_id, p.id, w.what, (now() at time zone 'utc')::date - d.ago, w.source, 1 + w.often * (4 + (d.ago * 37 + p.place * 11) % 23) * (120 - d.ago) / (800 * p.place)
    from (select *, row_number() over (order by published_at desc) as place from public.posts where workspace_id = ${id} and status = 'published') as p,
      generate_series(0, 59) as d (ago),
      (values ('view', 'page', 9), ('view', 'widget', 4), ('view', 'mail', 3), ('view', 'feed', 1), ('link_click', 'widget', 1)) as w (what, source, often)
    union all
    select ${id}::uuid, null, w.what, (now() at time zone 'utc')::date - d.ago, w.source, 1 + w.often * (4 + d.ago * 37 % 23) * (120 - d.ago) / 900
    from generate_series(0, 59) as d (ago),
      (values ('reader', 'page', 14), ('widget_shown', 'widget', 60), ('widget_open', 'widget', 8), ('referrer', 'news.example', 5),
        ('search_none', 'single sign-on', 1), ('language', 'en', 9), ('language', 'de', 4)) as w (what, source, often)`;
  await stage.sql`select private.roll_up_counts()`;
  await dana.goto(stage.path("analytics"));
  await dana.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  await stage.draw(dana, "analytics");
};

const part = async (stage: Stage, name: string, page: string) => {
  const dana = await stage.dana();
  await dana.goto(stage.path(`settings/${page}`));
  const section = dana.getByRole("region", { name });
  await section.waitFor();
  return { dana, section };
};

const domain: Scene = async (stage) => {
  await stage.add("custom-domain");
  const dana = await stage.dana();
  await showAs(dana, "**/api/workspaces/*/domains**", [["demo.localhost", "demo.tidings.example"]]);
  const { section } = await part(stage, "Custom domain", "domain");
  await section.getByLabel("Domain", { exact: true }).fill("changelog.example.com");
  await section.getByRole("button", { name: "Add" }).click();
  await section.getByRole("listitem", { name: "changelog.example.com" }).waitFor();
  await stage.draw(dana, "domain", section);
  await dana.unroute("**/api/workspaces/*/domains**");
};

const backup: Scene = async (stage) => {
  await stage.add("backup");
  const s3 = await startS3Server(["tidings-copies"]);
  try {
    const data = {
      endpoint: s3.endpoint,
      bucket: "tidings-copies",
      key_id: s3.keyId,
      secret: s3.secret,
      passphrase: "a long passphrase",
      keep_days: 30,
    };
    const dana = await stage.dana();
    await stage.ask(dana, "PUT", stage.api("backup"), data);
    await showAs(dana, "**/api/workspaces/*/backup", [[s3.endpoint, "https://s3.example.com"]]);
    const { section } = await part(stage, "Backup", "backup");
    await section.getByRole("button", { name: "Back up now" }).click();
    await section.getByRole("list", { name: "Recent backups" }).getByText("Done").first().waitFor({ timeout: 60_000 });
    await stage.draw(dana, "backup", section);
    await dana.unroute("**/api/workspaces/*/backup");
  } finally {
    await s3.stop();
  }
};

const parts: Scene = async (stage) => {
  const dana = await stage.dana();
  const style =
    "Write to the reader (“you”), in the present. Say first what is better for them, then how to use it. One idea a post, no exclamation marks.";
  await stage.ask(dana, "PUT", stage.api("house-style"), { text: style });
  for (const [name, page, file] of [
    ["Export", "export", "export"],
    ["House style for assistants", "assistants", "house-style"],
  ] as const) {
    const { section } = await part(stage, name, page);
    await stage.draw(dana, file, section);
  }
};

const audit: Scene = async (stage) => {
  const dana = await stage.dana();
  await dana.goto(stage.path("audit"));
  await dana.getByRole("table", { name: "Audit log" }).waitFor();
  await stage.draw(dana, "audit");
};

export const settings = { subscribers, analytics, dashboard, moving, audit, domain, backup, parts };
