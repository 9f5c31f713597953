import { createSign } from "node:crypto";
import tlsOptions from "smtp-server/lib/tls-options.js";
import { beforeEach, describe, expect, test } from "vitest";
import { eventsOfSes } from "./ses.ts";
import { confirmSubscription, type Fetch, isSignedBySns, publicKeyIn, readSns, snsAddress, type SnsMessage } from "./sns.ts";

const { key, cert } = tlsOptions({}) as { key: string; cert: string };
const fetched: string[] = [];
const serving =
  (text: string, status = 200): Fetch =>
  (url) => {
    fetched.push(url.href);
    return Promise.resolve(new Response(text, { status }));
  };
let [host, region] = ["", 0];
beforeEach(() => {
  fetched.length = 0;
  region += 1;
  host = `sns.eu-west-${region}.amazonaws.com`;
});

function signed(changed: Partial<SnsMessage> = {}, by = key): SnsMessage {
  const message = {
    Type: "Notification" as const,
    MessageId: "m-1",
    TopicArn: "arn:aws:sns:eu-west-1:1:mail",
    Message: "{}",
    Timestamp: "2026-11-22T20:00:00.000Z",
    SignatureVersion: "2" as const,
    SigningCertURL: `https://${host}/SimpleNotificationService-0123456789abcdef.pem`,
    ...changed,
  };
  const names =
    message.Type === "Notification"
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const text = names.map((name) => (name in message ? `${name}\n${(message as Record<string, string>)[name]}\n` : "")).join("");
  const sign = createSign((message.SignatureVersion as string) === "1" ? "RSA-SHA1" : "RSA-SHA256").update(text);
  return { ...message, Signature: sign.sign(by, "base64") };
}

describe("an SNS message", () => {
  test.each([
    ["version 2", {}],
    ["version 1", { SignatureVersion: "1" as const }],
    ["with a subject", { Subject: "Amazon SES" }],
    [
      "a question",
      {
        Type: "SubscriptionConfirmation" as const,
        Token: "t",
        SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
      },
    ],
  ])("%s, signed, is believed; its certificate is fetched once", async (_, changed) => {
    const message = signed(changed);
    expect(readSns(JSON.parse(JSON.stringify(message)))).toEqual(message);
    expect(await isSignedBySns(message, serving(cert))).toBe(true);
    expect(await isSignedBySns(message, serving(cert))).toBe(true);
    expect(fetched).toEqual([message.SigningCertURL]);
  });

  test("with a changed character is rejected", async () => {
    for (const name of ["Message", "MessageId", "TopicArn", "Timestamp"] as const)
      expect(await isSignedBySns({ ...signed(), [name]: "other" }, serving(cert))).toBe(false);
    expect(await isSignedBySns({ ...signed(), Subject: "added" }, serving(cert))).toBe(false);
    expect(await isSignedBySns({ ...signed(), SignatureVersion: "1" }, serving(cert))).toBe(false);
    for (const Signature of ["", "AAAA", "no base64!", "A".repeat(344)])
      expect(await isSignedBySns({ ...signed(), Signature }, serving(cert))).toBe(false);
  });

  test("with an invalid or unreachable certificate is rejected", async () => {
    for (const text of ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", cert.replaceAll(/[A-Z]/g, "A")])
      expect(await isSignedBySns(signed(), serving(text))).toBe(false);
    await expect(isSignedBySns(signed(), serving(cert, 503))).rejects.toThrow("503");
    await expect(isSignedBySns(signed(), serving("x".repeat(30_000)))).rejects.toThrow("too long");
    expect(publicKeyIn(cert.slice(0, 400))).toBeNull();
  });

  test.each([
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-1.pem",
    "https://user@sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem",
    "https://evil.example/sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.s3.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.s3-eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
    "https://sns.eu-west-1.amazonaws.com/evil.pem",
    "https://sns.eu-west-1.amazonaws.com/a/../SimpleNotificationService-1.pem/x",
    "https://sns.eu-west-1.amazonaws.com/?x=/SimpleNotificationService-1.pem",
    "https://127.0.0.1/SimpleNotificationService-1.pem",
    "javascript:x",
    "",
  ])("with its certificate at %s is refused, and nothing is fetched", async (url) => {
    expect(await isSignedBySns(signed({ SigningCertURL: url }), serving(cert))).toBe(false);
    expect(fetched).toEqual([]);
  });

  test("from China's regions is accepted", () => expect(snsAddress("https://sns.cn-north-1.amazonaws.com.cn/x")).not.toBeNull());

  test("is confirmed at SNS only", async () => {
    const question = (SubscribeURL: string) => ({ ...signed(), Type: "SubscriptionConfirmation" as const, SubscribeURL });
    expect(
      await confirmSubscription(question("https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"), serving("")),
    ).toBe(true);
    expect(fetched).toEqual(["https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"]);
    for (const url of ["http://sns.eu-west-1.amazonaws.com/", "https://127.0.0.1/", "https://metadata.google.internal/", ""])
      expect(await confirmSubscription(question(url), serving(""))).toBe(false);
    expect(fetched).toHaveLength(1);
  });
});

describe("SES events", () => {
  const id = "0b9c1f0e-1111-4222-8333-444455556666";
  const mail = { messageId: "0100018f", headers: [{ name: "Message-Id", value: `<${id}@tidings.example>` }] };
  const at = new Date(Date.now() - 3_600_000).toISOString();

  test.each(["notificationType", "eventType"])("a permanent bounce by %s is hard, a transient one soft", (name) => {
    for (const [bounceType, kind] of [
      ["Permanent", "hard"],
      ["Transient", "soft"],
      ["Undetermined", "soft"],
    ]) {
      const bounce = { bounceType, bouncedRecipients: [{ emailAddress: "Ana <ana@reader.example>" }], timestamp: at };
      expect(eventsOfSes(JSON.stringify({ [name]: "Bounce", mail, bounce }), "m-1")).toEqual([
        { key: "ses:m-1:0", kind, delivery: id, remote: "0100018f", email: "ana@reader.example", at },
      ]);
    }
  });

  test("several recipients become several events", () => {
    const complaint = { complainedRecipients: [{ emailAddress: "a@reader.example" }, { emailAddress: "b@reader.example" }], timestamp: at };
    const events = eventsOfSes(JSON.stringify({ notificationType: "Complaint", mail, complaint }), "m-1");
    expect(events.map(({ kind, delivery, email }) => ({ kind, delivery, email }))).toEqual([
      { kind: "complaint", delivery: null, email: "a@reader.example" },
      { kind: "complaint", delivery: null, email: "b@reader.example" },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
  });

  test("not-spam reports and other kinds are ignored", () => {
    const complaint = { complainedRecipients: [{ emailAddress: "a@reader.example" }], complaintFeedbackType: "not-spam" };
    expect(eventsOfSes(JSON.stringify({ notificationType: "Complaint", mail, complaint }), "m")).toEqual([]);
    for (const text of [JSON.stringify({ eventType: "Delivery", mail }), "{}", "null", "no json", '{"mail":5}'])
      expect(eventsOfSes(text, "m")).toEqual([]);
  });

  test("an invalid time becomes now", () => {
    for (const timestamp of ["", "soon", "9999-01-01T00:00:00Z", "0001-01-01T00:00:00Z"]) {
      const bounce = { bounceType: "Permanent", bouncedRecipients: [{ emailAddress: "a@b.example" }], timestamp };
      const [event] = eventsOfSes(JSON.stringify({ notificationType: "Bounce", mail, bounce }), "m");
      expect(Math.abs(Date.parse(event!.at) - Date.now())).toBeLessThan(60_000);
    }
  });
});
