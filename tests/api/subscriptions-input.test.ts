import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { rateLimits } from "#contract/rate-limits.ts";
import { newPerson, newPost, type Person, sql } from "./support/people.ts";
import { openWorkspace, sendForm } from "./support/public.ts";
import { askToBeTold, mailingWorkspace, mailTo, newAddress, newReader } from "./support/readers.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";
import { expectAlikeInTime } from "./support/timing.ts";

const stack = inject("stack");
let owner: Person;
let acme: { id: string; subdomain: string };
let releases: SecondFunction;
beforeAll(async () => {
  owner = await newPerson("Olive Owner");
  [acme, releases] = await Promise.all([mailingWorkspace(owner), startFunction(stack, "releases", { TIDINGS_MAIL_API_URL: stack.url })]);
});
afterAll(() => releases.stop());

const rowsOf = (email: string) => sql`select email::text, status, tags from public.subscribers where email = ${email}`;

describe("an address", () => {
  test("in upper and lower case is one subscriber", async () => {
    const { email } = await newReader(acme.subdomain);
    await sendForm(acme.subdomain, "/releases/subscribe", [["email", email.toUpperCase()]]);
    expect(await rowsOf(email)).toMatchObject([{ email, status: "active" }]);
  });
});

test("a line break in any field can't inject an email header", async () => {
  const evil = "Acme\r\nBcc: all@evil.example\r\n\r\n<b>";
  const email = newAddress();
  const asked = await sendForm(acme.subdomain, "/releases/subscribe", [
    ["email", email],
    ["tags", `fix\r\nBcc: ${email}`],
    ["website", ""],
  ]);
  expect(asked.status).toBe(303);
  const [row] = await rowsOf(email);
  expect(JSON.stringify(row!.tags)).not.toMatch(/\\r|\\n/);
  for (const frequency of ["weekly\r\n", "instant\r\nBcc: x"])
    expect(
      (
        await sendForm(acme.subdomain, "/releases/subscribe", [
          ["email", email],
          ["frequency", frequency],
        ])
      ).status,
    ).toBe(422);

  const reader = await newReader(acme.subdomain);
  const settings = (body: object) => owner.api.put(`/api/workspaces/${acme.id}/mail-settings`, body);
  expect((await settings({ reply_to: "hello@acme.example\r\nBcc: all@evil.example" })).status).toBe(422);
  expect((await settings({ sender_name: evil, reply_to: "hello@acme.example" })).status).toBeLessThan(500);
  await newPost(owner, acme.id, { title: evil, status: "published" });
  const mail = await mailTo(reader.email, 2);
  for (const value of [mail.to, mail.subject, ...Object.values(mail.headers)]) expect(value).not.toMatch(/[\r\n]/);
  expect(Object.keys(mail.headers).map((name) => name.toLowerCase())).not.toContain("bcc");
  expect(mail.subject).toBe("Acme Bcc: all@evil.example <b>");
});

describe("subscribing too often", () => {
  async function ask(email: string, network: string, subdomain = acme.subdomain) {
    const answer = await fetch(`${releases.url}/releases/subscribe`, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-forwarded-for": network,
        "x-forwarded-host": `${subdomain}.localhost:${stack.ports.gateway}`,
      },
      body: new URLSearchParams({ email }),
    });
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id"));
    return JSON.stringify({ status: answer.status, headers, body: await answer.text() });
  }
  const newNetwork = () => `10.${randomUUID().slice(0, 4)}`;

  test("for one address gets the same answer, and its owner no more emails", async () => {
    const email = newAddress();
    const answers = new Set<string>();
    const { size } = rateLimits.subscribe.account;
    for (let count = 0; count < size + 3; count += 1) {
      answers.add(await ask(email, newNetwork()));
      await sql`update private.deliveries d set state = 'done' from public.subscribers s where s.id = d.target_id and s.email = ${email}`;
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('"status":303');
    expect(
      await sql`select from private.deliveries d join public.subscribers s on s.id = d.target_id where s.email = ${email}`,
    ).toHaveLength(size);
    const globex = await openWorkspace(owner);
    expect(await ask(email, newNetwork(), globex.subdomain)).toBe([...answers][0]);
    expect(await sql`select from public.subscribers where email = ${email} and workspace_id = ${globex.id}`).toHaveLength(0);
  });

  test("from one network gets the same answer, and stores nothing; others can subscribe", async () => {
    const network = newNetwork();
    const { size } = rateLimits.subscribe.address;
    const emails = Array.from({ length: size + 5 }, newAddress);
    const answers = new Set<string>();
    for (const email of emails) answers.add(await ask(email, network));
    expect(answers.size).toBe(1);
    expect(await sql`select from public.subscribers where email::text = any (${emails})`).toHaveLength(size);
    const other = newAddress();
    expect(await ask(other, newNetwork())).toBe([...answers][0]);
    expect(await rowsOf(other)).toHaveLength(1);
  });
});

test("known and unknown addresses are answered in the same time", async () => {
  const active = (await newReader(acme.subdomain)).email;
  const pending = newAddress();
  await askToBeTold(acme.subdomain, pending);
  const suppressed = newAddress();
  await sql`insert into private.suppressions (address, reason) values (private.address_hash(${suppressed}), 'complaint')`;
  const asking = (email: () => string) => async () => {
    const began = performance.now();
    expect((await sendForm(acme.subdomain, "/releases/subscribe", [["email", email()]])).status).toBe(303);
    return performance.now() - began;
  };
  for (const known of [active, pending, suppressed])
    await expectAlikeInTime(
      asking(newAddress),
      asking(() => known),
    );
});
