import { Hono } from "hono";
import { expect, test } from "vitest";
import type { Env } from "../_shared/env.ts";
import type { ApiApp } from "../_shared/handle.ts";
import { serveSecurityTxt } from "./security-txt.ts";

const ask = async (securityContact: string | null) => {
  const app: ApiApp = new Hono();
  serveSecurityTxt(app, { publicUrl: "https://tidings.example", securityContact } as Env, () => new Date("2026-11-28T00:00:00Z"));
  const answer = await app.request("/.well-known/security.txt");
  return [answer.status, await answer.text()];
};

test.each([
  ["security@tidings.example", "mailto:security@tidings.example"],
  ["https://tidings.example/security", "https://tidings.example/security"],
])("names %s, for a year", async (contact, named) => {
  const lines = [`Contact: ${named}`, "Expires: 2027-11-28T00:00:00.000Z", "Canonical: https://tidings.example/.well-known/security.txt"];
  expect(await ask(contact)).toEqual([200, `${lines.join("\n")}\n`]);
});

test("returns 404 without a contact", async () => expect((await ask(null))[0]).toBe(404));
