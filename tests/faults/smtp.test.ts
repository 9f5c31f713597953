import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SmtpFate, type SmtpSink, startSmtpSink } from "../support/smtp-sink.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { makePlace, type Place } from "./support/writers.ts";

const patience = { timeout: 60_000, interval: 100 };
const fates: Record<string, (times: number) => SmtpFate> = {
  gone: () => ({ code: 550, says: "5.1.1 No such user here" }),
  grey: (times) => (times === 1 ? { code: 451, says: "4.7.1 Greylisted, please try again" } : null),
  lost: (times) => (times === 1 ? "drop" : null),
  us: () => ({ code: 554, says: "5.7.1 Relay access denied" }),
};
let stack: RunningStack;
let sql: postgres.Sql;
let server: SmtpSink;
let place: Place;
const address = (name: string) => `${name}@reader.example`;
beforeAll(async () => {
  server = await startSmtpSink((to, times) => fates[to.split("@")[0]!]?.(times) ?? null);
  const mail = {
    TIDINGS_MAIL_SMTP_URL: `smtp://ops:p%40ss@127.0.0.1:${server.port}`,
    TIDINGS_MAIL_FROM: "Tidings <news@tidings.example>",
    TIDINGS_MAIL_RATE: "100",
  };
  stack = await startStack({
    args: ["serve"],
    env: { TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_RATE_LIMIT_SCALE: "1000", ...mail },
  });
  sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
  place = await makePlace(stack);
  await sql`update public.workspaces set public_changelog_enabled = true where id = ${place.workspaceId}`;
  await sql`update public.mail_settings set undo_minutes = 0, reply_to = 'hello@acme.example', sender_name = 'Šárka, Ltd' where workspace_id = ${place.workspaceId}`;
  const readers = [...Object.keys(fates), "ana", "ben"].map(address);
  await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
    select ${place.workspaceId}, email, 'active', now() from unnest(${readers}::text[]) as email`;
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
  await server?.stop();
});

const mailsTo = (name: string) => server.mails.filter(({ to }) => to[0] === address(name));
const delivery = async (name: string) =>
  (
    await sql`select d.*, s.status as subscriber from private.deliveries d join public.subscribers s on s.id = d.target_id
      where s.email = ${address(name)} and d.workspace_id = ${place.workspaceId} order by d.created_at desc limit 1`
  )[0]!;
async function publish(title: string): Promise<void> {
  const answer = await fetch(`${stack.url}/api/posts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${place.token}` },
    body: JSON.stringify({
      title,
      workspace_id: place.workspaceId,
      status: "published",
      blocks: [{ type: "paragraph", data: { text: "Words." } }],
    }),
  });
  expect(answer.status).toBe(201);
}

test("SMTP delivers a post: an unknown recipient is never retried, a greylisted one gets it once, later", async () => {
  await publish("Příští verze 🚀");
  await vi.waitFor(async () => expect((await delivery("ben")).state).toBe("done"), patience);
  await vi.waitFor(async () => expect((await delivery("gone")).state).toBe("failed"), patience);
  await vi.waitFor(async () => expect((await delivery("grey")).status).toBe(451), patience);
  await vi.waitFor(async () => expect((await delivery("lost")).error).not.toBeNull(), patience);

  expect(await delivery("gone")).toMatchObject({ status: 550, bounce: "hard", subscriber: "suppressed" });
  expect(
    await sql`select from private.suppressions where address = private.address_hash(${address("gone")}) and workspace_id is null`,
  ).toHaveLength(1);
  expect(await delivery("us")).toMatchObject({ state: "failed", status: 554, bounce: null, subscriber: "active" });
  expect(await delivery("grey")).toMatchObject({ state: "waiting", attempt: 2, subscriber: "active" });
  expect(await delivery("lost")).toMatchObject({ state: "waiting", attempt: 2, status: null });

  const [mail] = mailsTo("ana");
  expect(mail!.user).toBe("ops");
  expect(mail!.mail.subject).toBe("Příští verze 🚀");
  expect(mail!.mail.from).toMatchObject({ name: "Šárka, Ltd via Tidings", address: "news@tidings.example" });
  expect(mail!.mail.replyTo?.[0]).toMatchObject({ address: "hello@acme.example" });
  expect(mail!.header("list-unsubscribe")).toMatch(/^<https:\/\/tidings\.example\/releases\/subscription\/[\w-]{48}>$/);
  expect(mail!.header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail!.header("list-id")).toMatch(/^<changelog\.[\w-]+\.tidings\.example>$/);
  expect(mail!.header("auto-submitted")).toBe("auto-generated");
  expect(mail!.mail.messageId).toBe(`<${(await delivery("ana")).id as string}@tidings.example>`);

  await sql`update private.deliveries set due_at = clock_timestamp() where workspace_id = ${place.workspaceId} and state = 'waiting'`;
  await sql`update private.jobs set run_at = clock_timestamp() where workspace_id = ${place.workspaceId} and locked_by is null`;
  await vi.waitFor(
    async () => expect([(await delivery("grey")).state, (await delivery("lost")).state]).toEqual(["done", "done"]),
    patience,
  );
  expect(mailsTo("grey")).toHaveLength(1);
  expect(mailsTo("lost").map(({ mail: { messageId } }) => messageId)).toEqual(
    Array(2).fill(`<${(await delivery("lost")).id as string}@tidings.example>`),
  );
  const asked = (name: string) => server.asked.filter((to) => to === address(name)).length;
  expect([asked("gone"), asked("us"), asked("ana"), asked("ben"), asked("grey"), asked("lost")]).toEqual([1, 1, 1, 1, 2, 2]);
  console.log("SMTP: 6 readers, 1 suppressed by 550, 1 refused by policy and kept, 1 later by 451, 1 twice under one Message-ID, 0 lost");
});

test("the next post skips the unknown recipient", async () => {
  const before = server.asked.length;
  await publish("The next one");
  await vi.waitFor(
    () => expect(server.asked.slice(before).toSorted()).toEqual(["ana", "ben", "grey", "lost", "us"].map(address)),
    patience,
  );
  expect(mailsTo("gone")).toEqual([]);
});

test("the auth service's emails use the same SMTP server", async () => {
  const email = "new.person@example.com";
  const answer = await fetch(`${stack.url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: stack.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse" }),
  });
  expect(answer.status).toBe(200);
  const mails = () => server.mails.filter(({ to }) => to[0] === email);
  await vi.waitFor(() => expect(mails()).toHaveLength(1), patience);
  expect(mails()[0]!.mail.from).toMatchObject({ name: "Tidings", address: "news@tidings.example" });
  expect(mails()[0]!.mail.text).toContain("https://tidings.example/");
});

test("the log contains neither the server's address nor its password", () => {
  for (const file of fs.readdirSync(path.join(stack.dataDir, "logs"))) {
    const log = fs.readFileSync(path.join(stack.dataDir, "logs", file), "utf8");
    for (const secret of ["@reader.example", "p%40ss", "p@ss"]) expect(log.includes(secret), `${secret} in ${file}`).toBe(false);
  }
});
