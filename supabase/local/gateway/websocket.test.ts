import { spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

const seconds = 1;
const gateway = spawn(
  "node_modules/.bin/deno",
  ["run", "-A", "--config", "supabase/local/deno.json", "tests/support/socket-gateway.js", String(seconds), "100"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let [port, behind] = [0, 0];
beforeAll(async () => {
  [port, behind] = String((await gateway.stdout.take(1).toArray())[0])
    .split(" ")
    .map(Number) as [number, number];
});
afterAll(() => gateway.kill());

const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

async function sleeper(more = key): Promise<{ socket: net.Socket; answer: string }> {
  const socket = net.connect(port, "127.0.0.1");
  socket.on("error", () => {}); // reset by the server
  socket.write(
    `GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`,
  );
  const answer = await new Promise((resolve) => socket.once("data", resolve));
  return { socket, answer: String(answer) };
}
const byteOf = (part: number | string) => (typeof part === "string" ? part.charCodeAt(0) : part);
const opened = async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  return socket;
};
const openBehind = async () => Number(await (await fetch(`http://127.0.0.1:${behind}`)).text());

test("an unresponsive client is closed, a quiet one stays", async () => {
  const quiet = await opened();
  const { socket: asleep } = await sleeper();
  asleep.resume();
  await new Promise((resolve) => asleep.once("close", resolve));
  await wait(seconds * 2_000);
  expect(quiet.readyState).toBe(WebSocket.OPEN);
  quiet.close();
});

test("a handshake without a key is rejected and leaves no socket open", async () => {
  await expect.poll(openBehind).toBe(0);
  const { socket, answer } = await sleeper("");
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  await expect.poll(openBehind).toBe(0);
  socket.destroy();
});

test("a client that doesn't read is closed at the buffer limit", async () => {
  await expect.poll(openBehind).toBe(0);
  const { socket } = await sleeper();
  socket.pause();
  socket.write(new Uint8Array([0x81, 0x82, 0, 0, 0, 0, ..."40"].map(byteOf))); // a text frame, masked with zeros
  await expect.poll(openBehind).toBe(0);
  expect(socket.closed).toBe(false);
  socket.destroy();
});

test("a message over the limit closes the client and isn't forwarded", async () => {
  const socket = await opened();
  socket.send("1".padStart(100));
  await new Promise((resolve) => socket.addEventListener("message", resolve));
  socket.addEventListener("message", () => expect.fail("it came through"));
  socket.send("1".padStart(101));
  expect(await new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))).toBe(1009);
});
