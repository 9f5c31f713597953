import { beforeAll, describe, expect, test } from "vitest";
import { caughtMails, type CaughtMail } from "./support/mails.ts";
import { newPerson, newPost, type Person, sql } from "./support/people.ts";
import { readPage, sendForm, visit } from "./support/public.ts";
import { mailingWorkspace, mailTo, newReader } from "./support/readers.ts";

let owner: Person;
let acme: { id: string; subdomain: string };
beforeAll(async () => {
  owner = await newPerson("Olive Owner");
  acme = await mailingWorkspace(owner);
});

const publish = (title: string) => newPost(owner, acme.id, { title, status: "published" });
const waiting = { timeout: 20_000, interval: 200 };

async function rows(): Promise<unknown> {
  const of = (table: string) =>
    sql.unsafe(`select to_jsonb(t) as row from ${table} t where t.workspace_id = '${acme.id}' order by t::text`);
  const tables = [
    "public.subscribers",
    "public.mail_settings",
    "private.suppressions",
    "private.events",
    "private.deliveries",
    "public.posts",
  ];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, (await of(table)).map(({ row }) => row as unknown)])));
}

/** No email of this workspace is pending, so the worker writes nothing more. */
const mailsAreSettled = () =>
  expect.poll(() => sql`select from private.deliveries where workspace_id = ${acme.id} and state = 'waiting'`, waiting).toHaveLength(0);

function addressesIn({ text, html, headers }: CaughtMail): URL[] {
  const found = `${text} ${html.replaceAll("&amp;", "&")} ${Object.values(headers).join(" ")}`.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return [...new Set(found)].map((address) => new URL(address));
}

test("a robot that opens every link of every email by GET and HEAD changes nothing", async () => {
  const reader = await newReader(acme.subdomain);
  const post = await publish("Faster search");
  await mailTo(reader.email, 2);
  await sendForm(acme.subdomain, "/releases/subscribe", [["email", reader.email]]);
  await mailTo(reader.email, 3);
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`update public.posts set published_at = now() - interval '3 days' where id = ${post.id}`;
    await transaction`update private.events set happened_at = now() - interval '3 days' where post_id = ${post.id}`;
    await transaction`update public.subscribers set frequency = 'daily', last_digest_at = now() - interval '5 days' where email = ${reader.email}`;
  });
  await mailTo(reader.email, 4);
  const pending = `p-${reader.email}`;
  await sendForm(acme.subdomain, "/releases/subscribe", [["email", pending]]);
  await mailTo(pending);

  const mails = [...(await caughtMails(reader.email)), ...(await caughtMails(pending))];
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(
    [
      "Faster search",
      "Faster search · Acme",
      "Please confirm: updates from Acme by email",
      "Please confirm: updates from Acme by email",
      "You already get updates from Acme",
    ].toSorted(),
  );
  await mailsAreSettled();
  const before = await rows();
  let opened = 0;
  for (const mail of mails) {
    for (const { hostname, pathname, search } of addressesIn(mail)) {
      for (const method of ["GET", "HEAD"]) {
        const { status } = await visit(hostname.replace(/\.?localhost$/, "") || null, pathname + search, {
          method,
          headers: { "user-agent": "Mozilla/5.0 (compatible; SafeLinks)", cookie: "tc-auth=x" },
        });
        expect([pathname, status]).toEqual([pathname, 200]);
        opened += 1;
      }
    }
  }
  expect(opened).toBeGreaterThan(15);
  expect(await rows()).toEqual(before);
});

const form = ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"] as const;
const multipart = [
  "multipart/form-data; boundary=b",
  '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
] as const;
const oneClick = (path: string, [type, body]: typeof form | typeof multipart, headers: Record<string, string> = {}) =>
  visit(acme.subdomain, path, { method: "POST", headers: { "content-type": type, ...headers }, body });

describe("one-click unsubscribe", () => {
  test("of every kind works: no later email is sent", async () => {
    const stays = await newReader(acme.subdomain);
    const from: Record<string, string>[] = [
      {},
      { origin: "https://mail.example" },
      { origin: "null" },
      { origin: "https://mail.example", cookie: "a=b" },
    ];
    const clicks = [form, multipart].flatMap((how) => from.map((headers) => ({ how, headers })));
    const left = await Promise.all(
      clicks.map(async ({ how, headers }) => {
        const { email, path } = await newReader(acme.subdomain);
        expect(await oneClick(path, how, headers)).toMatchObject({ status: 200, body: "" });
        return email;
      }),
    );
    await publish("For who stayed");
    expect((await mailTo(stays.email, 2)).subject).toBe("For who stayed");
    for (const email of left) expect(await caughtMails(email)).toHaveLength(1);
  });

  test("by an outdated or unknown link is answered 200 and changes nothing; its page says that the link is invalid", async () => {
    const { email, path } = await newReader(acme.subdomain);
    await sql`update public.subscribers set generation = generation + 1 where email = ${email}`;
    await mailsAreSettled();
    const before = await rows();
    for (const where of [path, `/releases/subscription/${"A".repeat(48)}`, "/releases/subscription/x"]) {
      for (const how of [form, multipart]) expect(await oneClick(where, how)).toMatchObject({ status: 200, body: "" });
      const { status, page } = await readPage(acme.subdomain, where);
      expect([status, page.querySelector("h1")!.textContent]).toEqual([404, "This link no longer works"]);
      for (const action of ["confirm", "save", "leave", "return", "erase", "export"]) {
        const answer = await sendForm(acme.subdomain, where, [["action", action]]);
        expect([action, answer.status]).toEqual([action, 404]);
        expect(answer.body).toContain("This link no longer works");
      }
    }
    expect(await rows()).toEqual(before);
  });
});
