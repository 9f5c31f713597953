import { expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPerson, password, signedInBrowser, sql } from "./support/people.ts";

const { url } = inject("stack");

test("a user deletes their account with the current password, is signed out and gets one email", async () => {
  const ada = await newPerson();
  const browser = await signedInBrowser(ada);
  const wrong = await browser.delete("/api/profiles/me", { body: { password: "a wrong password" } });
  expect([wrong.status, wrong.body.fields]).toEqual([422, { password: "This isn't your current password" }]);

  expect((await browser.delete("/api/profiles/me", { body: { password } })).status).toBe(200);
  expect((await browser.get("/api/profiles/me")).status).toBe(401);
  expect(await sql`select from auth.users where id = ${ada.id}`).toHaveLength(0);
  expect((await new Client(url).post("/api/auth/login", { email: ada.email, password })).status).toBe(401);

  await new Client(url).post("/api/jobs/run");
  expect((await caughtMails(ada.email)).map(({ subject }) => subject)).toContain("Your Tidings account was deleted");
  expect(await sql`select from private.account_mails where email = ${ada.email}`).toHaveLength(0);
});
