import { createHmac, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newPerson, newWorkspace, type Person } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
const sql = postgres(stack.ownerUrl, { onnotice: () => {} });
const secret = `path-secret-${randomUUID()}`;
const key = Buffer.from(randomUUID().repeat(2)).toString("base64");
let api: SecondFunction;
let strict: SecondFunction;
let owner: Person;
let workspace: string;

beforeAll(async () => {
  const env = { TIDINGS_MAIL_EVENTS_SECRET: secret, TIDINGS_MAIL_EVENTS_SIGNING_SECRET: `whsec_${key}`, TIDINGS_TRUSTED_PROXIES: "1" };
  api = await startFunction(stack, "api", env);
  strict = await startFunction(stack, "api", { ...env, TIDINGS_MAIL_EVENTS_LOGIN: "postmark:a pass:word" });
  owner = await newPerson();
  workspace = (await newWorkspace(owner)).id;
}, 30_000);
afterAll(async () => {
  await Promise.all([api?.stop(), strict?.stop(), sql.end()]);
});

async function newReader(): Promise<{ email: string; delivery: string; status: () => Promise<string> }> {
  const email = `${randomUUID()}@reader.example`;
  const [row] =
    await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at) values (${workspace}, ${email}, 'active', now()) returning id`;
  const [mail] = await sql`insert into private.deliveries (workspace_id, kind, target_id, state, attempt, ended_at)
    values (${workspace}, 'post', ${row!.id as string}, 'done', 1, now()) returning id`;
  const status = async () => (await sql`select status from public.subscribers where id = ${row!.id as string}`)[0]!.status as string;
  return { email, delivery: mail!.id as string, status };
}

const post = async (provider: string, body: string, headers: Record<string, string> = {}, { at = api, path = secret } = {}) => {
  const answer = await fetch(`${at.url}/api/mail/events/${provider}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7", ...headers },
    body,
  });
  return { status: answer.status, body: await answer.text() };
};
const signed = (body: string, { id = `msg_${randomUUID()}`, time = Math.floor(Date.now() / 1_000), by = key, names = "svix" } = {}) => ({
  [`${names}-id`]: id,
  [`${names}-timestamp`]: String(time),
  [`${names}-signature`]: `v1,${createHmac("sha256", Buffer.from(by, "base64")).update(`${id}.${time}.${body}`).digest("base64")}`,
});
const resendBounce = (delivery: string, email: string, type = "email.bounced", bounce: object = { type: "Permanent" }) =>
  JSON.stringify({ type, created_at: new Date().toISOString(), data: { email_id: "re_x", to: [email], tags: { delivery }, bounce } });
const postmarkBounce = (delivery: string, email: string, more: object = {}) =>
  JSON.stringify({
    RecordType: "Bounce",
    Type: "HardBounce",
    TypeCode: 1,
    ID: Math.trunc(Math.random() * 1e12),
    Email: email,
    Metadata: { delivery },
    ...more,
  });

describe("Resend's webhook", () => {
  test.each(["svix", "webhook"])("records a signed bounce under %s-…", async (names) => {
    const reader = await newReader();
    const body = resendBounce(reader.delivery, reader.email);
    expect(await post("resend", body, signed(body, { names }))).toEqual({ status: 200, body: '{"success":true}' });
    expect(await reader.status()).toBe("suppressed");
  });

  test("records a complaint, and ignores other events", async () => {
    const [reader, other] = [await newReader(), await newReader()];
    const complaint = resendBounce(reader.delivery, reader.email, "email.complained");
    expect((await post("resend", complaint, signed(complaint))).status).toBe(200);
    expect(await reader.status()).toBe("suppressed");
    for (const body of [
      resendBounce(other.delivery, other.email, "email.delivered"),
      resendBounce(other.delivery, other.email, "constructor"),
      "{}",
      "[]",
      "null",
      '{"type":"email.bounced"}',
      '{"type":"email.bounced","data":{"to":5}}',
      `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    ])
      expect((await post("resend", body, signed(body))).status).toBe(200);
    expect(await other.status()).toBe("active");
  });

  test("changes nothing without a valid signature: none, another key, another body, too old", async () => {
    const reader = await newReader();
    const body = resendBounce(reader.delivery, reader.email);
    const forged: Record<string, string>[] = [
      {},
      signed(body, { by: Buffer.from("another key").toString("base64") }),
      signed(`${body} `),
      signed(body, { time: Math.floor(Date.now() / 1_000) - 301 }),
    ];
    for (const headers of forged) expect((await post("resend", body, headers)).status).toBe(401);
    expect(await reader.status()).toBe("active");
  });
});

describe("Postmark's webhook", () => {
  test.each([
    ["HardBounce", { Type: "HardBounce" }, "suppressed"],
    ["BadEmailAddress", { Type: "BadEmailAddress" }, "suppressed"],
    ["SpamComplaint", { RecordType: "SpamComplaint", Type: "SpamComplaint" }, "suppressed"],
    ["who left there", { RecordType: "SubscriptionChange", SuppressSending: true, SuppressionReason: "ManualSuppression" }, "left"],
    ["one soft bounce", { Type: "SoftBounce" }, "active"],
    ["an auto-responder", { Type: "AutoResponder" }, "active"],
    ["a delivery", { RecordType: "Delivery" }, "active"],
    ["a resubscription", { RecordType: "SubscriptionChange", SuppressSending: false }, "active"],
    ["a name of Object.prototype", { Type: "toString" }, "active"],
  ])("%s", async (_, more, status) => {
    const reader = await newReader();
    expect((await post("postmark", postmarkBounce(reader.delivery, reader.email, more))).status).toBe(200);
    expect(await reader.status()).toBe(status);
  });

  test("requires its login, where the operator set one", async () => {
    const reader = await newReader();
    const body = postmarkBounce(reader.delivery, reader.email);
    const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString("base64")}` });
    for (const headers of [{}, basic("postmark:a pass"), basic(":"), { authorization: "Bearer x" }])
      expect((await post("postmark", body, headers as Record<string, string>, { at: strict })).status).toBe(401);
    expect(await reader.status()).toBe("active");
    expect((await post("postmark", body, basic("postmark:a pass:word"), { at: strict })).status).toBe(200);
    expect(await reader.status()).toBe("suppressed");
  });
});

test("SES' webhook refuses a message that SNS didn't sign", async () => {
  const message = {
    ...{ Type: "Notification", MessageId: randomUUID(), TopicArn: "arn:aws:sns:eu-west-1:1:mail", Message: "{}" },
    ...{ Timestamp: new Date().toISOString(), SignatureVersion: "2", Signature: "AAAA" },
    SigningCertURL: "https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem",
  };
  expect((await post("ses", JSON.stringify(message), { "content-type": "text/plain; charset=UTF-8" })).status).toBe(401);
});

describe("an unknown sender", () => {
  test("with a wrong or unset secret is refused and changes nothing", async () => {
    const reader = await newReader();
    const body = postmarkBounce(reader.delivery, reader.email);
    for (const path of ["x", `${secret}x`, secret.slice(0, -1), secret.toUpperCase(), "null", "undefined"]) {
      for (const provider of ["postmark", "resend", "ses"]) expect((await post(provider, body, signed(body), { path })).status).toBe(401);
    }
    const unset = await fetch(`${stack.url}/api/mail/events/postmark/null`, { method: "POST", body });
    expect(unset.status).toBe(401);
    expect(await reader.status()).toBe("active");
  });

  test("with no JSON or too large a body is refused, whatever its length header", async () => {
    expect((await post("postmark", "{")).status).toBe(422);
    expect((await post("postmark", "")).status).toBe(422);
    expect((await post("postmark", JSON.stringify({ RecordType: "x".repeat(300_001) }))).status).toBe(413);
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setImmediate(); // lets the refusal arrive
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const answer = await fetch(`${api.url}/api/mail/events/postmark/${secret}`, {
      method: "POST",
      body: endless,
      duplex: "half",
    } as RequestInit).catch(() => null);
    if (answer !== null) expect(answer.status).toBe(413);
    expect((await post("postmark", "{}")).status).toBe(200);
  });

  test("owners see that emails are held, and why; saving settings doesn't release them", async () => {
    await sql`update public.mail_settings set held_at = now(), held_reason = 'complaints' where workspace_id = ${workspace}`;
    const read = await owner.api.get(`/api/workspaces/${workspace}/mail-settings`);
    expect(read.body).toMatchObject({ settings: { enabled: true, held_at: expect.any(String) as string, held_reason: "complaints" } });
    const saved = await owner.api.put(`/api/workspaces/${workspace}/mail-settings`, { held_at: null, held_reason: null, undo_minutes: 3 });
    expect(saved.body).toMatchObject({ settings: { undo_minutes: 3, held_reason: "complaints" } });
  });
});
