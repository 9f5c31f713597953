import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { errorCatalogue } from "#contract/errors.ts";
import { apiKeyRate, type Rate, rateLimits } from "#contract/rate-limits.ts";
import { makeApiKey } from "#contract/rules/api-key.ts";
import { type Answer, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newKey, newPerson, newTeam, password, type Person, signedInBrowser, sql, type Team } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";
import { age, keepSession, sessionOf } from "./support/session-cookie.ts";

const stack = inject("stack");
const tenth = { TIDINGS_RATE_LIMIT_SCALE: "0.1" };
let one: SecondFunction;
let other: SecondFunction;
beforeAll(async () => {
  [one, other] = await Promise.all([startFunction(stack, "api", tenth), startFunction(stack, "api", tenth)]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
});

const newAddress = () => `10.${randomUUID().slice(0, 4)}`;
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

async function expectLimitedAfter({ size, seconds }: Rate, status: number, ask: () => Promise<Answer>): Promise<void> {
  const begun = performance.now();
  for (let count = 0; count < size / 10; count++) expect((await ask()).status).toBe(status);
  let answer = await ask();
  for (let more = 0; answer.status === status && more < (performance.now() - begun) / ((seconds * 10_000) / size); more++)
    answer = await ask();
  expectLimited(answer);
}

test("codes of a second factor are limited per person", async () => {
  const { size, seconds } = rateLimits.factorCode.person;
  const person = await newPerson();
  const give = () => from(newAddress()).send("POST", "/api/auth/factor", { code: "000000" }, person);
  await expectLimitedAfter({ size, seconds }, 422, give);
});

describe("sign-in", () => {
  test("is limited per IP address, over all instances", async () => {
    const [address, size] = [newAddress(), rateLimits.signIn.address.size / 10];
    const tries = Array.from({ length: size }, (_, index) => signIn(`${randomUUID()}@example.com`, address, index % 2 ? one : other));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(size).fill(401));
    expectLimited(await signIn(`${randomUUID()}@example.com`, address));
    expectLimited(await signIn(`${randomUUID()}@example.com`, address, other));
    expect((await signIn(`${randomUUID()}@example.com`, newAddress())).status).toBe(401);
  });

  const atAddress = rateLimits.signIn.accountAtAddress.size / 10;
  const overall = rateLimits.signIn.account.size / 10;

  test("is limited per account and network, known or not, whatever the password; its owner can sign in from another", async () => {
    const known = await newPerson();
    for (const email of [known.email, `${randomUUID()}@example.com`]) {
      const address = newAddress();
      for (let count = 0; count < atAddress; count++) expect((await signIn(email, address)).status).toBe(401);
      for (let count = 0; count < overall; count++) expectLimited(await signIn(email, address));
      expectLimited(await from(address).send("POST", "/api/auth/login", { email: email.toUpperCase(), password }));
    }
    expect((await from(newAddress()).send("POST", "/api/auth/login", { email: known.email, password })).status).toBe(200);
  });

  test("is limited per account over all networks together", async () => {
    for (const { email } of [await newPerson(), { email: `${randomUUID()}@example.com` }]) {
      const tries = await Promise.all(Array.from({ length: overall }, () => signIn(email, newAddress())));
      expect(tries.map(({ status }) => status)).toEqual(Array(overall).fill(401));
      expectLimited(await from(newAddress()).send("POST", "/api/auth/login", { email, password }));
    }
  });

  test("counts failures only", async () => {
    const [{ email }, address] = [await newPerson(), newAddress()];
    const right = () => from(address).send("POST", "/api/auth/login", { email, password });
    for (let count = 0; count < atAddress + 2; count++) expect((await right()).status).toBe(200);
    for (let count = 0; count < atAddress; count++) expect((await signIn(email, address)).status).toBe(401);
    expectLimited(await right());
  });

  test("counts by the IP address that the front door saw, not by a client's header", async () => {
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

test("emails that strangers can cause are limited per recipient; beyond that the answer is the same and nothing is sent", async () => {
  const [{ email }, quarter] = [await newPerson(), await startFunction(stack, "api", { TIDINGS_RATE_LIMIT_SCALE: "0.25" })];
  const sentAfter = async (address: string) => {
    await new Promise((resolve) => setTimeout(resolve, 1_050)); // one email a second, see config.toml
    const { status, body } = await from(address, quarter).send("POST", "/api/auth/reset", { email });
    expect([status, body]).toEqual([200, { success: true }]);
    return (await caughtMails(email)).length;
  };
  const stranger = newAddress();
  expect([await sentAfter(stranger), await sentAfter(stranger), await sentAfter(stranger)]).toEqual([1, 1, 1]);
  expect([await sentAfter(newAddress()), await sentAfter(newAddress()), await sentAfter(newAddress())]).toEqual([2, 3, 3]);
  await quarter.stop();
});

test("emailed invitations are limited per recipient over all makers, who still get the link", async () => {
  const mail = { TIDINGS_MAIL_API_URL: `${stack.url}/dev/mail`, TIDINGS_MAIL_API_KEY: stack.secretKey };
  const [full, acme, globex] = [await startFunction(stack, "api", mail), await newTeam(), await newTeam()];
  const email = `${randomUUID()}@example.com`;
  const invite = async ({ workspaceId, owner }: Team, to = email) => {
    const answer = await from(newAddress(), full).send("POST", `/api/team/${workspaceId}/invites`, { email: to }, owner);
    expect(answer).toMatchObject({ status: 201, body: { invite: { url: expect.stringContaining("/join?token=") as string } } });
    return answer.body.mailed;
  };
  for (let count = 0; count < rateLimits.inviteMail.account.size; count++) expect(await invite(acme)).toBe(true);
  expect([await invite(globex), await invite(acme, email.toUpperCase())]).toEqual([false, false]);
  expect(await caughtMails(email)).toHaveLength(rateLimits.inviteMail.account.size);
  expect(await invite(globex, `${randomUUID()}@example.com`)).toBe(true);
  await full.stop();
});

test("guessing an invitation's token is limited, from many IP addresses too", async () => {
  const token = Buffer.from(randomUUID()).toString("base64url");
  const ask = () => from(newAddress()).send("GET", `/api/team/invites/${token}`);
  await expectLimitedAfter(rateLimits.invitation.token, 404, ask);
});

describe("refreshing a session", () => {
  async function agedBrowser(instance: SecondFunction, person: Person, seconds = -60): Promise<Client> {
    const browser = new Client(instance.url);
    keepSession(browser, sessionOf(await signedInBrowser(person)));
    age(browser, seconds);
    return browser;
  }
  const ask = (browser: Client, address = newAddress()) => browser.get("/api/profiles/me", { headers: { "x-forwarded-for": address } });

  test("is limited per user and IP address over all instances, and keeps the session", async () => {
    const [person, somebodyElse, address] = [await newPerson(), await newPerson(), newAddress()];
    let instance = one;
    const askAgain = async () => ask(await agedBrowser((instance = instance === one ? other : one), person), address);
    await expectLimitedAfter(rateLimits.renewal.accountAtAddress, 200, askAgain);
    const browser = await agedBrowser(one, person);
    const kept = browser.cookieHeader;
    const limited = await ask(browser, address);
    expectLimited(limited);
    expect([limited.headers.getSetCookie(), browser.cookieHeader]).toEqual([[], kept]);
    expect((await ask(await agedBrowser(one, person, 30), address)).status).toBe(200);
    expect((await ask(await agedBrowser(one, person, 3_600), address)).status).toBe(200);
    expect((await ask(await agedBrowser(one, somebodyElse), address)).status).toBe(200);
    expect((await ask(await agedBrowser(one, person))).status).toBe(200); // other users' expired tokens don't block this one
  });

  test("is limited per user over all IP addresses", async () => {
    const [person, somebodyElse] = [await newPerson(), await newPerson()];
    const { size, seconds } = rateLimits.renewal.person;
    await sql`select public.take_token('renewal.person', ${person.id}, ${size / 10}, make_interval(secs => ${seconds}))
      from generate_series(1, ${size / 10})`;
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await ask(await agedBrowser(one, person)));
    expect(answers.map(({ status }) => status)).toContain(429);
    expect((await ask(await agedBrowser(one, somebodyElse))).status).toBe(200);
  });

  test("is limited per IP address, except when not needed", async () => {
    const [address, person] = [newAddress(), await newPerson()];
    const { size, seconds } = rateLimits.renewal.address;
    await sql`select public.take_token('renewal.address', ${address}, ${size / 10}, make_interval(secs => ${seconds}))
      from generate_series(1, ${size / 10})`;
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await ask(await agedBrowser(one, person), address));
    expect(answers.map(({ status }) => status)).toContain(429);
    expectLimited(answers.find(({ status }) => status === 429)!);
    expect((await ask(await agedBrowser(one, person, 3_600), address)).status).toBe(200);
    expect((await ask(await agedBrowser(one, person))).status).toBe(200);
  });
});

test("search and upload are limited per user, and others aren't affected", async () => {
  const team = await newTeam();
  const search = (person: Person) =>
    from("10.0.0.1").send("GET", `/api/workspaces/${team.workspaceId}/posts/search?q=word`, undefined, person);
  await expectLimitedAfter(rateLimits.search.person, 200, () => search(team.owner));
  expect((await search(team.viewer)).status).toBe(200);
  const upload = () => from("10.0.0.1").send("POST", `/api/workspaces/${team.workspaceId}/editor/image-upload`, new FormData(), team.owner);
  await expectLimitedAfter(rateLimits.upload.person, 422, upload);
});

describe("a change of email address", () => {
  const change = (person: Person, email: string, given = password) =>
    from(newAddress()).send("POST", "/api/profiles/me/email", { email, password: given }, person);

  test("is limited per user, right password or wrong", async () => {
    const person = await newPerson();
    await expectLimitedAfter(rateLimits.changeEmail.person, 422, () => change(person, `${randomUUID()}@example.com`, "wrong password"));
  });

  test("is limited per new address over all users", async () => {
    const email = `${randomUUID()}@example.com`;
    expect((await change(await newPerson(), email)).status).toBe(200);
    expectLimited(await change(await newPerson(), email));
    expect(await caughtMails(email)).toHaveLength(1);
  });
});

describe("API keys", () => {
  const ask = (secret: string, address = newAddress(), instance = one) =>
    new Client(instance.url, secret).get("/api/v1/key", { headers: { "x-forwarded-for": address } });

  test("are limited separately, over all instances and IP addresses, and get the remaining calls in a header", async () => {
    const team = await newTeam();
    const [{ secret }, other_] = [await newKey(team.owner, team.workspaceId), await newKey(team.owner, team.workspaceId)];
    const size = apiKeyRate.size / 10;
    const begun = performance.now();
    const answers = [];
    for (let call = 0; call < size; call++) answers.push(await ask(secret, newAddress(), call % 2 ? one : other));
    expect(answers.map(({ status }) => status)).toEqual(Array(size).fill(200));
    expect(answers[0]!.headers.get("ratelimit-policy")).toBe(`"key";q=${size};w=${apiKeyRate.seconds}`);
    expect(answers[0]!.headers.get("ratelimit")).toBe(`"key";r=${size - 1};t=${apiKeyRate.seconds / size}`);
    if (performance.now() - begun < 4_000) {
      const limited = await ask(secret);
      expectLimited(limited);
      expect(limited.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
    }
    expect((await ask(other_.secret)).status).toBe(200);
    expect((await from(newAddress()).send("GET", "/api/profiles/me", undefined, team.owner)).status).toBe(200);
  });

  test("that are unknown count for their IP address, malformed ones don't, and valid keys aren't affected", async () => {
    const [address, size] = [newAddress(), rateLimits.unknownKey.address.size / 10];
    const team = await newTeam();
    const { secret } = await newKey(team.owner, team.workspaceId);
    for (let call = 0; call < 2 * size; call++) expect((await ask("tdk_mistyped", address)).status).toBe(401);
    for (let call = 0; call < size; call++) expect((await ask(makeApiKey(), address)).status).toBe(401);
    expectLimited(await ask(makeApiKey(), address));
    expectLimited(await ask(makeApiKey(), address, other));
    expect((await ask(secret, address)).status).toBe(200);
    expect((await ask(makeApiKey())).status).toBe(401);
  });

  test("of expired assistants have a higher limit, as many share an IP address and each starts again on 401", async () => {
    const [address, size] = [newAddress(), rateLimits.unknownToken.address.size / 10];
    const call = (secret: string) => {
      const headers = { "x-forwarded-for": address, origin: stack.publicUrl };
      return new Client(one.url, secret).post("/api/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers });
    };
    const answers: Answer[] = [];
    while (answers.length < 4 * size && answers.at(-1)?.status !== 429) answers.push(await call(makeApiKey()));
    expect(answers.length).toBeGreaterThan(size);
    for (const { status, headers } of answers.slice(0, size))
      expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("resource_metadata=")]);
    expectLimited(answers.at(-1)!);
    expect((await ask(makeApiKey(), address)).status).toBe(401);
  });
});
