import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { errorCatalogue } from "#contract/errors.ts";
import { rateLimits } from "#contract/limits.ts";
import { clientAddress } from "../../edge-functions/_shared/client-address.ts";
import { type Answer, Client } from "./support/client.ts";
import { newPerson, newTeam, password, type Person, sql } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

/** Two instances with a tenth of every limit. */
const stack = inject("stack");
const tenth = { RATE_LIMIT_SCALE: "0.1" };
let one: SecondFunction;
let other: SecondFunction;
beforeAll(async () => {
  [one, other] = await Promise.all([startFunction(stack, "api", tenth), startFunction(stack, "api", tenth)]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
});

const newAddress = () => `10.${randomUUID().slice(0, 4)}`;
/** A call at one of the instances, from a network address as the gateway reports it. */
const from = (address: string, instance = one) => ({
  send: (method: string, path: string, body?: unknown, person?: Person) =>
    new Client(instance.url, person?.token).send(method, path, { body, headers: { "x-forwarded-for": address, origin: stack.publicUrl } }),
});
const signIn = (email: string, address: string, instance = one) =>
  from(address, instance).send("POST", "/api/auth/login", { email, password: "wrong password" });

function expectLimited(answer: Answer): void {
  expect([answer.status, answer.body.code, answer.body.error]).toEqual([429, "rate_limited", errorCatalogue.rate_limited.sentence]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}

describe("sign-in", () => {
  test("is limited for each address, over all instances", async () => {
    const [address, size] = [newAddress(), rateLimits.signIn.address.size / 10];
    const tries = Array.from({ length: size }, (_, index) => signIn(`${randomUUID()}@example.com`, address, index % 2 ? one : other));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(size).fill(401));
    expectLimited(await signIn(`${randomUUID()}@example.com`, address));
    expectLimited(await signIn(`${randomUUID()}@example.com`, address, other));
    expect((await signIn(`${randomUUID()}@example.com`, newAddress())).status).toBe(401);
  });

  test("is limited for each account, known or not, whatever the address and the password", async () => {
    const known = await newPerson();
    for (const email of [known.email, `${randomUUID()}@example.com`]) {
      for (let count = 0; count < rateLimits.signIn.account.size / 10; count++)
        expect((await signIn(email, newAddress())).status).toBe(401);
      expectLimited(await signIn(email, newAddress()));
      expectLimited(await from(newAddress()).send("POST", "/api/auth/login", { email: email.toUpperCase(), password }));
    }
  });

  test("counts by the address that the front door saw, not by what a client writes", async () => {
    const forged = `203.0.113.${Math.floor(Math.random() * 250)}`;
    const body = { email: `${randomUUID()}@example.com`, password };
    await new Client(stack.url).post("/api/auth/login", body, { headers: { "x-forwarded-for": forged, "x-real-ip": forged } });
    const counted = async (key: string) => {
      const hash = createHash("sha256").update(key).digest();
      return (await sql`select 1 from private.rate_limits where bucket = 'signIn.address' and key = ${hash}`).length;
    };
    expect([await counted(forged), await counted("127.0.0.1")]).toEqual([0, 1]);
  });
});

test("mails that strangers can cause are few for each address they go to", async () => {
  const email = `${randomUUID()}@example.com`;
  const ask = () => from(newAddress()).send("POST", "/api/auth/reset", { email });
  expect((await ask()).status).toBe(200);
  expectLimited(await ask());
});

test("an invitation's token cannot be tried without end, from many addresses either", async () => {
  const token = Buffer.from(randomUUID()).toString("base64url");
  const ask = () => from(newAddress()).send("GET", `/api/team/invites/${token}`);
  for (let count = 0; count < rateLimits.invitation.token.size / 10; count++) expect((await ask()).status).toBe(404);
  expectLimited(await ask());
});

test("search and upload are limited for each person, others go on", async () => {
  const team = await newTeam();
  const search = (person: Person) =>
    from("10.0.0.1").send("GET", `/api/workspaces/${team.workspaceId}/posts/search?q=word`, undefined, person);
  for (let count = 0; count < rateLimits.search.person.size / 10; count++) expect((await search(team.owner)).status).toBe(200);
  expectLimited(await search(team.owner));
  expect((await search(team.viewer)).status).toBe(200);
  const upload = () => from("10.0.0.1").send("POST", `/api/workspaces/${team.workspaceId}/editor/image-upload`, new FormData(), team.owner);
  for (let count = 0; count < rateLimits.upload.person.size / 10; count++) expect((await upload()).status).toBe(422);
  expectLimited(await upload());
});

test.each([
  ["198.51.100.7", 1, "198.51.100.7"],
  ["forged, 198.51.100.7", 1, "198.51.100.7"],
  ["forged, 198.51.100.7, 10.0.0.1", 2, "198.51.100.7"],
  ["198.51.100.7", 2, "198.51.100.7"],
  [null, 1, "unknown"],
  ["2001:db8:1:2:3:4:5:6", 1, "2001:db8:1:2::/64"],
  ["2001:DB8:0:0002::1", 1, "2001:db8:0:2::/64"],
  ["::1", 1, "0:0:0:0::/64"],
  ["::ffff:198.51.100.7", 1, "198.51.100.7"],
])("X-Forwarded-For %j behind %i proxies is %s", (header, proxies, expected) => {
  expect(clientAddress(new Headers(header === null ? {} : { "x-forwarded-for": header }), proxies)).toBe(expected);
});
