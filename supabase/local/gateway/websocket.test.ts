import { spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

const seconds = 1;
const gateway = spawn(
  "node_modules/.bin/deno",
  ["run", "-A", "--config", "supabase/local/deno.json", "tests/support/socket-gateway.js", String(seconds)],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let port = 0;
beforeAll(async () => {
  port = Number(String((await gateway.stdout.take(1).toArray())[0]));
});
afterAll(() => gateway.kill());

/** A client whose computer sleeps: it has opened a WebSocket and answers nothing any more. */
async function sleeper(): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {}); // closed with a reset, which is closed
  socket.write(
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await new Promise((resolve) => socket.once("data", resolve));
  return socket;
}

test("a client that gives no sign of life is closed; one that is only quiet stays", async () => {
  const quiet = new WebSocket(`ws://127.0.0.1:${port}`);
  await new Promise((resolve) => quiet.addEventListener("open", resolve));
  const asleep = await sleeper();
  asleep.resume();
  await new Promise((resolve) => asleep.once("close", resolve));
  await wait(seconds * 2_000);
  expect(quiet.readyState).toBe(WebSocket.OPEN);
  quiet.close();
});
