import { expect, onTestFinished, test, vi } from "vitest";
import { signToken } from "../../../tests/support/token.ts";

const module = "server";
const { Realtime } = (await import(`../realtime/${module}.ts`)) as {
  Realtime: new (
    sql: object,
    keys: object,
    listensOn: string,
  ) => {
    start(): Promise<void>;
    fetch(request: Request, address: string, body?: Uint8Array): Response | Promise<Response> | null;
  };
};

const keys = { publishableKey: "sb_publishable_key", jwtSecret: "secret ".repeat(8) };

interface Socket {
  onclose?: (() => void) | null;
  onmessage?: (event: { data: string }) => void;
  send(data: string): void;
}

function database(rows: object[][] = [], wait = async () => {}) {
  const probes: unknown[] = [];
  let tell = () => {};
  const transaction = async (text: TemplateStringsArray, ...values: unknown[]) => {
    if (text[0]!.includes("insert")) probes.push(values.at(-2));
    return text[0]!.includes("select 1 from") ? [1] : [];
  };
  const sql = Object.assign(async () => rows.shift() ?? [], {
    listen: async (_: string, heard: () => void) => void (tell = heard),
    begin: async (work: (tx: object) => Promise<void>) => {
      await wait();
      await work(transaction);
    },
  });
  return { sql, probes, send: () => tell() };
}

async function realtime({ sql } = database()) {
  const sockets: Socket[] = [];
  const heard: string[] = [];
  vi.stubGlobal("Deno", {
    upgradeWebSocket({ headers }: Request) {
      if (!headers.has("sec-websocket-key")) throw new TypeError("Invalid Header: 'sec-websocket-key' header must be set");
      const socket = { send: (data: string) => void heard.push(data) };
      sockets.push(socket);
      return { socket, response: { status: 101 } };
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const made = new Realtime(sql, keys, "127.0.0.1");
  await made.start();
  const connect = async (address: string, more: object = { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" }) => {
    const headers = { upgrade: "websocket", apikey: "sb_publishable_key", ...more };
    return (await made.fetch(new Request("http://localhost/realtime/v1/websocket", { headers }), address))!.status;
  };
  const broadcast = async (body: unknown, person?: string) => {
    const authorization = person && `Bearer ${signToken(keys, { sub: person })}`;
    const headers = { apikey: "sb_publishable_key", ...(authorization && { authorization }) };
    const request = new Request("http://localhost/realtime/v1/api/broadcast", { method: "POST", headers });
    return (await made.fetch(request, "192.0.2.1", new TextEncoder().encode(JSON.stringify(body))))!.status;
  };
  const join = (socket: Socket, topic: string, person: string) => {
    const payload = { access_token: signToken(keys, { sub: person }), config: { private: true } };
    socket.onmessage!({ data: JSON.stringify({ topic: `realtime:${topic}`, event: "phx_join", payload, ref: "1", join_ref: "1" }) });
  };
  return { connect, broadcast, join, sockets, heard };
}

test("connections are limited to a hundred per network; this machine has more", async () => {
  const { connect, sockets } = await realtime();
  for (let at = 0; at < 100; at++) expect(await connect(`2001:db8::${at.toString(16)}`)).toBe(101);
  expect([await connect("2001:db8::ffff"), await connect("2001:db8:0:1::1")]).toEqual([429, 101]);
  for (let at = 0; at < 101; at++) expect(await connect("::1")).toBe(101);
  sockets[0]!.onclose!();
  sockets[0]!.onclose?.();
  expect([await connect("2001:db8::ffff"), await connect("2001:db8::fffe")]).toEqual([101, 429]);
});

test("a handshake without a key is rejected and not counted", async () => {
  const { connect } = await realtime();
  for (let count = 0; count < 101; count++) expect(await connect("192.0.2.1", {})).toBe(400);
  expect(await connect("192.0.2.1")).toBe(101);
});

const message = { topic: "test", event: "note", payload: {}, private: true };

test.each([
  ["nothing", null],
  ["no messages", { messages: {} }],
  ["one that is nothing", { messages: [null] }],
  ["one that is a list", { messages: [[]] }],
  ["no topic", { messages: [{ ...message, topic: undefined }] }],
  ["a NUL in it", { messages: [{ ...message, topic: "te\0st" }] }],
  ["a long topic", { messages: [{ ...message, topic: "x".repeat(256) }] }],
  ["a long event", { messages: [{ ...message, event: "x".repeat(256) }] }],
  ["an event that is none", { messages: [{ ...message, event: 7 }] }],
  ["more values than any message has", { messages: [{ ...message, payload: Array(100_000).fill([]) }] }],
])("an HTTP broadcast with %s is rejected", async (_, body) => {
  const { sql, probes } = database();
  const { broadcast } = await realtime({ sql, probes, send: () => {} });
  expect([await broadcast(body, "ann"), probes]).toEqual([422, []]);
});

test("an HTTP broadcast checks each topic once, and none without a token", async () => {
  const made = database();
  const { broadcast } = await realtime(made);
  const messages = ["a", "b", "a"].flatMap((topic) => Array.from({ length: 20 }, () => ({ ...message, topic })));
  expect([await broadcast({ messages }), made.probes]).toEqual([202, []]);
  expect([await broadcast({ messages: [...messages, { ...message, topic: "public", private: false }] }, "ann"), made.probes]).toEqual([
    202,
    ["a", "b"],
  ]);
});

test("rechecking a person's access doesn't delay others", async () => {
  let answered = Promise.resolve();
  const wait = () => answered;
  const ended = { ...message, topic: "other", event: "session-ended", payload: { user_id: "bob" } };
  const note = (n: number) => ({ ...message, payload: { n } });
  const made = database([[ended, ended, note(1)], [note(2)]], wait);
  const { connect, join, sockets, heard } = await realtime(made);
  for (const person of ["ann", "bob"]) {
    await connect("192.0.2.1");
    join(sockets.at(-1)!, "test", person);
  }
  await expect.poll(() => heard.length).toBe(2);
  answered = new Promise((resolve) => onTestFinished(() => resolve()));
  made.send();
  const notes = () => heard.filter((data) => data.includes('"note"')).map((data) => /"n":(\d)/.exec(data)?.[1]);
  await expect.poll(notes).toEqual(["1"]);
  made.send();
  await expect.poll(notes).toEqual(["1", "2"]);
});

test("pending database messages are sent in batches", async () => {
  const made = database([Array(1_000).fill(message), Array(1_000).fill(message), [{ ...message, event: "last" }]]);
  const { connect, join, sockets, heard } = await realtime(made);
  await connect("192.0.2.1");
  join(sockets[0]!, "test", "ann");
  await expect.poll(() => heard.length).toBe(1);
  made.send();
  await expect.poll(() => heard.length).toBe(1 + 2_001);
});
