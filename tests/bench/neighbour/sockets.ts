import { randomBytes } from "node:crypto";
import http from "node:http";
import type { Duplex } from "node:stream";

interface Speakers {
  port: number;
  publishableKey: string;
  workspaceId: string;
  shortPost: string;
  tokens: string[];
}

function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x81fe);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

function connect({ port, publishableKey }: Speakers, localAddress: string | undefined): Promise<Duplex | null> {
  return new Promise((resolve) => {
    const headers = {
      ...{ host: "localhost", connection: "Upgrade", upgrade: "websocket" },
      ...{ "sec-websocket-version": "13", "sec-websocket-key": randomBytes(16).toString("base64") },
    };
    const path = `/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`;
    const request = http.request({ port, path, headers, localAddress, host: "127.0.0.1", agent: false });
    request.once("upgrade", (_, socket) => resolve(socket));
    request.once("response", (answer) => (answer.resume(), resolve(null)));
    request.once("error", () => resolve(null));
    request.end();
  });
}

/** Joins a post's channel over many sockets and sends without a pause; half of them read nothing. Closed ones reconnect. */
export async function speakWithoutPause(
  speakers: Speakers,
  sockets: number,
  ms: number,
  localAddress?: string,
): Promise<Record<string, number>> {
  const end = performance.now() + ms;
  const counts: Record<string, number> = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const topic = `realtime:presence:${speakers.workspaceId}:${speakers.shortPost}`;
  const filler = "x".repeat(8_000);

  async function one(at: number): Promise<void> {
    const token = speakers.tokens[at % speakers.tokens.length]!;
    const socket = await connect(speakers, localAddress);
    count(socket ? "open" : "refused");
    if (!socket) return;
    let isOpen = true;
    socket.once("close", () => (isOpen = false)).on("error", () => (isOpen = false));
    if (at % 2 === 0) socket.resume();
    const send = (event: string, payload: object) => {
      count("said");
      return socket.write(frameOf(JSON.stringify({ topic, event, payload, ref: "2", join_ref: "1" })));
    };
    send("phx_join", {
      access_token: token,
      config: { private: true, presence: { key: `k${at}`, enabled: true }, broadcast: { self: true } },
    });
    for (let turn = 0; isOpen && performance.now() < end; turn++) {
      const isTaken =
        turn % 64 === 0
          ? send("presence", { type: "presence", event: "track", payload: { filler, turn } })
          : send("broadcast", { type: "broadcast", event: "words", payload: { filler, turn } });
      await new Promise((resolve) => setTimeout(resolve, isTaken ? 50 : 200));
    }
    count(isOpen ? "there at the end" : "ended");
    socket.destroy();
  }
  await Promise.all(Array.from({ length: sockets }, (_, at) => one(at)));
  return counts;
}
