import { randomUUID } from "node:crypto";
import { beforeEach, expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPerson, password, type Person, signedInBrowser, sql } from "./support/people.ts";
import { sessionOf } from "./support/session-cookie.ts";

const { url, publicUrl, publishableKey } = inject("stack");
const visitor = new Client(url);

let ada: Person;
let browser: Client;
let wanted: string;
beforeEach(async () => {
  ada = await newPerson();
  browser = await signedInBrowser(ada);
  wanted = `${randomUUID()}@example.com`;
});

const change = (email = wanted, by = browser) => by.post("/api/profiles/me/email", { email, password });
const linkTo = async (address: string) => new URL((await caughtMails(address))[0]!.links[0]!);
const confirm = async (client = new Client(url)) =>
  client.post("/api/auth/verify", { token_hash: (await linkTo(wanted)).searchParams.get("token_hash"), type: "email_change" });
const addressOf = async (person: Person) => (await sql`select email from auth.users where id = ${person.id}`)[0]!.email as string;
const undo = async (client: Client, link: URL) => client.post("/api/auth/undo-email-change", { token: link.searchParams.get("token") });

async function toldTo(address: string) {
  await visitor.post("/api/jobs/run");
  return caughtMails(address);
}

const putUser = (by: Client, body: object) =>
  fetch(`${url}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: publishableKey,
      authorization: `Bearer ${sessionOf(by).access_token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });

test("a change of address requires the current password", async () => {
  const answer = await browser.post("/api/profiles/me/email", { email: wanted, password: "a wrong password" });
  expect([answer.status, answer.body.fields]).toEqual([422, { password: "This isn't your current password" }]);
  expect(await caughtMails(wanted)).toEqual([]);
  expect((await change(ada.email.toUpperCase())).body.fields).toEqual({ email: "This is your email address already" });
  expect((await change()).status).toBe(200);
  expect(await caughtMails(wanted)).toHaveLength(1);
  expect((await confirm()).status).toBe(200);
  expect(await addressOf(ada)).toBe(wanted);
});

test.each<[string, () => Promise<unknown>]>([
  ["signing out everywhere else", async () => (await signedInBrowser(ada)).delete("/api/profiles/me/sessions")],
  [
    "ending the session that asked",
    async () => {
      const owner = await signedInBrowser(ada);
      const { id } = (await sql`select id from auth.sessions where user_id = ${ada.id} order by created_at desc offset 1 limit 1`)[0]!;
      return owner.delete(`/api/profiles/me/sessions/${id as string}`);
    },
  ],
  ["a new password", async () => putUser(await signedInBrowser(ada), { password: "a password of my own" })],
])("%s cancels a pending change of address", async (_, recover) => {
  expect((await change()).status).toBe(200);
  await recover();
  const link = await confirm();
  expect([link.status, link.body.code]).toEqual([410, "link_invalid"]);
  expect(await addressOf(ada)).toBe(ada.email);
  expect((await sql`select email_change, email_change_token_new as token from auth.users where id = ${ada.id}`)[0]).toEqual({
    email_change: "",
    token: "",
  });
});

test("the old address is notified of a requested change, and its link cancels it", async () => {
  await change();
  const [mail, ...others] = await toldTo(ada.email);
  expect(others).toEqual([]);
  expect(mail!.subject).toBe("Change of your Tidings email address");
  expect(mail!.text).toContain(wanted);
  const link = new URL(mail!.links[0]!);
  expect(link.origin + link.pathname).toBe(`${publicUrl}/auth/undo-email-change`);
  expect((await fetch(`${url}${link.pathname}${link.search}`)).status).toBe(200);
  expect((await browser.get("/api/profiles/me")).status).toBe(200);
  const undone = await undo(new Client(url), link);
  expect([undone.status, undone.body]).toEqual([200, { success: true, email: ada.email }]);
  expect((await confirm()).status).toBe(410);
  expect((await browser.get("/api/profiles/me")).status).toBe(401);
});

test("the old address is notified of the change, and its link restores the account", async () => {
  await change();
  const thief = new Client(url);
  await confirm(thief);
  const mails = await toldTo(ada.email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Change of your Tidings email address",
    "Your Tidings email address was changed",
  ]);
  const link = new URL(mails.find(({ subject }) => subject.endsWith("was changed"))!.links[0]!);
  await visitor.post("/api/auth/signup", { email: ada.email, password: "a squatter's password", fullName: "Eve" });
  expect((await undo(new Client(url), link)).body).toEqual({ success: true, email: ada.email });
  expect(await addressOf(ada)).toBe(ada.email);
  expect((await thief.get("/api/profiles/me")).status).toBe(401);
  expect((await browser.get("/api/profiles/me")).status).toBe(401);
  for (const email of [wanted, ada.email]) expect((await visitor.post("/api/auth/login", { email, password })).status).toBe(401);
  expect((await undo(new Client(url), link)).body.code).toBe("link_invalid");
  await visitor.post("/api/auth/reset", { email: ada.email });
  const reset = (await caughtMails(ada.email))[0]!;
  const owner = new Client(url);
  const token = new URL(reset.links[0]!).searchParams.get("token_hash");
  expect((await owner.post("/api/auth/verify", { token_hash: token, type: "recovery" })).status).toBe(200);
  expect((await putUser(owner, { password: "a password of my own" })).status).toBe(200);
  expect((await visitor.post("/api/auth/login", { email: ada.email, password: "a password of my own" })).status).toBe(200);
});

test("a confirmed, an unconfirmed and an unknown address get the same answer", async () => {
  const known = (await newPerson("Known")).email;
  const waiting = `${randomUUID()}@example.com`;
  await visitor.post("/api/auth/signup", { email: waiting, password, fullName: "Waiting" });
  const answers = [];
  for (const email of [known, waiting, wanted]) {
    const { status, body } = await change(email);
    answers.push([status, body, (await toldTo(ada.email)).length]);
  }
  expect(answers).toEqual([1, 2, 3].map((mails) => [200, { success: true }, mails]));
  expect(await caughtMails(known)).toEqual([]);
});
