import { expect, test } from "vitest";
import { signWebhook, verifyWebhook } from "./standard-webhooks.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = new TextEncoder().encode('{"test": 2432232314}');
const [id, timestamp] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330];
const headers = (signature: string, names = "webhook") =>
  new Headers({ [`${names}-id`]: id, [`${names}-timestamp`]: String(timestamp), [`${names}-signature`]: signature });
const nowMs = timestamp * 1_000;

test("matches the reference signature", async () => {
  expect(await signWebhook(secret, { id, timestamp, body })).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test.each(["webhook", "svix"])("accepts its own signature with headers %s-… and any of the keys, for five minutes", async (names) => {
  const signature = await signWebhook(secret, { id, timestamp, body });
  const other = `whsec_${btoa("another key, another key")}`;
  for (const seconds of [-300, 0, 300])
    expect(await verifyWebhook([other, secret], headers(signature, names), body, nowMs + seconds * 1_000)).toBe(id);
  for (const seconds of [-301, 301])
    expect(await verifyWebhook([secret], headers(signature, names), body, nowMs + seconds * 1_000)).toBeNull();
  expect(await verifyWebhook([other], headers(signature, names), body, nowMs)).toBeNull();
  expect(await verifyWebhook([], headers(signature, names), body, nowMs)).toBeNull();
});

test("rejects any changed signature", async () => {
  const signature = await signWebhook(secret, { id, timestamp, body });
  for (let at = 3; at < signature.length - 2; at += 1) {
    const changed = `${signature.slice(0, at)}${signature[at] === "A" ? "B" : "A"}${signature.slice(at + 1)}`;
    expect(await verifyWebhook([secret], headers(changed), body, nowMs)).toBeNull();
  }
  const moved = new Headers({ "webhook-id": `${id}.${timestamp}`, "webhook-timestamp": String(timestamp), "webhook-signature": signature });
  expect(await verifyWebhook([secret], moved, body, nowMs)).toBeNull();
});
