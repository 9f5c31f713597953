import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { handOver, type Message } from "../mail.ts";
import type { MailSettings } from "#contract/mail-transports.ts";

interface Asked {
  headers: http.IncomingHttpHeaders;
  body: Record<string, unknown>;
}
const asked: Asked[] = [];
let answer: (response: http.ServerResponse) => void;
const server = http.createServer((request, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    asked.push({ headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
    answer(response);
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  answer = says(200, {});
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const says =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  (response: http.ServerResponse): void =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const message: Message = {
  ...{ to: "ana@reader.example", from: '"Acme via Tidings" <news@tidings.example>', replyTo: "hello@acme.example" },
  ...{ subject: "News", text: "News", html: "<p>News</p>", key: "0b9c1f0e-1111-4222-8333-444455556666" },
  headers: { "Message-ID": "<1@tidings.example>", "List-Unsubscribe": "<https://acme.tidings.example/x>", Precedence: "bulk" },
};
const settings = (transport: "resend" | "postmark"): MailSettings => ({
  transport,
  url,
  key: "secret",
  from: "Tidings <a@tidings.example>",
});
const send = (transport: "resend" | "postmark", changed: Partial<Message> = {}) =>
  handOver(settings(transport), { ...message, ...changed });

describe("Resend's shape", () => {
  test("sends the key twice: for idempotency and as a tag", async () => {
    answer = says(200, { id: "re_1" });
    expect(await send("resend")).toEqual({ outcome: "done", status: 200, remote: "re_1" });
    const [{ headers, body }] = asked as [Asked];
    expect(headers).toMatchObject({ authorization: "Bearer secret", "idempotency-key": message.key, "content-type": "application/json" });
    const { key, replyTo, ...rest } = message;
    expect(body).toEqual({ ...rest, reply_to: replyTo, tags: [{ name: "delivery", value: key }] });
  });

  test("a lost response is retried with the same key, and an edited post causes no second email", async () => {
    answer = (response) => response.destroy();
    expect(await send("resend")).toMatchObject({ outcome: "again" });
    answer = says(409, { name: "invalid_idempotent_request" });
    expect(await send("resend", { subject: "Edited" })).toEqual({ outcome: "done", status: 409 });
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([message.key]));
    answer = says(409, { name: "concurrent_idempotent_requests" });
    expect(await send("resend")).toMatchObject({ outcome: "again", status: 409 });
  });

  test.each([
    [400, "failed"],
    [401, "again"],
    [403, "again"],
    [413, "failed"],
    [422, "failed"],
    [429, "again"],
    [500, "again"],
    [503, "again"],
    [302, "again"],
  ])("%i: %s", async (status, outcome) => {
    answer = says(status, {}, { location: "http://127.0.0.1:1/" });
    expect(await send("resend")).toEqual({ outcome, status });
  });

  test.each([
    ["30", 30],
    ["1.5", 2],
    ["999999999", 86_400],
    ["-5", undefined],
    ["soon", undefined],
    ["Wed, 21 Oct 2015 07:28:00 GMT", undefined],
  ])("429 with retry-after %j waits %j seconds, always a whole number that Postgres takes", async (header, after) => {
    answer = says(429, {}, { "retry-after": header });
    expect((await send("resend")).after).toBe(after);
  });

  test("a silent server is given up after ten seconds", async () => {
    answer = () => {};
    const began = Date.now();
    expect(await send("resend")).toMatchObject({ outcome: "again", error: expect.stringMatching(/time/i) as string });
    expect(Date.now() - began).toBeLessThan(20_000);
  });

  test("an endless, invalid or truncated response counts by its status", async () => {
    for (const body of ["{", "<html>", "x".repeat(1_000_000), "null", '{"id": 5}', '{"id": "\u0000x"}']) {
      answer = (response) => void response.writeHead(200).end(body);
      const handed = await send("resend");
      expect(handed).toMatchObject({ outcome: "done", status: 200 });
      expect(JSON.stringify(handed)).not.toContain("\\u0000");
    }
  });
});

describe("Postmark", () => {
  test("uses its own field names and the broadcast stream, keeps the Message-ID, and disables tracking", async () => {
    answer = says(200, { ErrorCode: 0, Message: "OK", MessageID: "pm-1" });
    expect(await send("postmark")).toEqual({ outcome: "done", status: 200, remote: "pm-1" });
    const [{ headers, body }] = asked as [Asked];
    expect(headers).toMatchObject({ "x-postmark-server-token": "secret", accept: "application/json" });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      From: message.from,
      To: message.to,
      ReplyTo: message.replyTo,
      Subject: "News",
      HtmlBody: "<p>News</p>",
      TextBody: "News",
      Headers: [
        { Name: "Message-ID", Value: "<1@tidings.example>" },
        { Name: "List-Unsubscribe", Value: "<https://acme.tidings.example/x>" },
        { Name: "Precedence", Value: "bulk" },
        { Name: "X-PM-KeepID", Value: "true" },
      ],
      Metadata: { delivery: message.key },
      MessageStream: "broadcast",
      TrackOpens: false,
      TrackLinks: "None",
    });
  });

  test("an email to one person uses the transactional stream", async () => {
    await send("postmark", { headers: { "Message-ID": "<1@tidings.example>" } });
    expect(asked[0]!.body["MessageStream"]).toBe("outbound");
  });

  test.each([
    [422, 406, { outcome: "failed", bounce: "hard" }], // inactive recipient
    [422, 300, { outcome: "failed" }], // invalid mail
    [422, 400, { outcome: "again" }], // unknown sender signature: a configuration error
    [422, 405, { outcome: "again" }], // no credits left
    [401, 10, { outcome: "again" }],
    [413, undefined, { outcome: "failed" }],
    [429, undefined, { outcome: "again" }],
    [500, undefined, { outcome: "again" }],
    [503, undefined, { outcome: "again" }],
    [200, 406, { outcome: "failed", bounce: "hard" }], // status of a batch
  ])("%i with ErrorCode %j", async (status, code, expected) => {
    answer = says(status, code === undefined ? {} : { ErrorCode: code, Message: "You tried to send to ana@reader.example" });
    const handed = await send("postmark");
    expect(handed).toMatchObject({ ...expected, status });
    expect(handed.bounce).toBe((expected as { bounce?: string }).bounce);
    expect(JSON.stringify(handed)).not.toContain("ana@");
  });
});
