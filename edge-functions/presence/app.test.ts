import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { errorBody } from "#contract/error-body.ts";
import type { Env } from "../_shared/env.ts";
import { createPresence } from "./app.ts";

const secret = new TextEncoder().encode("x".repeat(32));
const env = {
  supabaseUrl: "http://localhost",
  publicUrl: "http://localhost",
  publishableKey: "key",
  jwks: [{ kty: "oct", alg: "HS256", k: Buffer.from(secret).toString("base64url") }],
} as Partial<Env> as Env;

async function asked(headers: Record<string, string>) {
  vi.stubGlobal("fetch", async () => Response.json("editor"));
  onTestFinished(() => void vi.unstubAllGlobals());
  const lines: object[] = [];
  const presence = createPresence({
    env,
    upgrade: ({ headers }) => {
      if (!headers.has("sec-websocket-key")) throw new TypeError("Invalid Header: 'sec-websocket-key' header must be set");
      throw new Error("isn't called");
    },
    keepAlive: () => {},
    write: (line) => void lines.push(line),
  });
  const address = `http://localhost/presence/${randomUUID()}/${randomUUID()}`;
  const answer = await presence.fetch(new Request(address, { headers: { connection: "Upgrade", upgrade: "websocket", ...headers } }));
  return { status: answer.status, body: await answer.text(), lines };
}

test("a handshake without a session is unauthenticated, with or without Sec-WebSocket-Key", async () => {
  for (const headers of [{}, { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" }] as Record<string, string>[]) {
    const { status, body } = await asked(headers);
    expect([status, errorBody.parse(JSON.parse(body)).code]).toEqual([401, "unauthenticated"]);
  }
});

test("with a session, a missing Sec-WebSocket-Key is a client error", async () => {
  const token = new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(randomUUID())
    .setAudience("authenticated");
  const authorization = `Bearer ${await token.setExpirationTime("1h").sign(secret)}`;
  const { status, body, lines } = await asked({ authorization });
  expect([status, body]).toEqual([400, "This isn't a WebSocket handshake"]);
  expect(lines).toMatchObject([{ event: "request", status: 400 }]);
});
