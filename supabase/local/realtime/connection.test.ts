import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Authorizer } from "./authorize.ts";
import { Connection } from "./connection.ts";
import type { Version } from "./frames.ts";
import { Hub } from "./hub.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const topic = "realtime:test";

function room(may: Partial<Authorizer> = {}) {
  const hub = new Hub();
  const authorizer = { verify: async () => ({}), mayRead: async () => true, mayWrite: async () => true, ...may };
  const connect = (version: Version = "1.0.0") => {
    const heard: { event: string; payload: any }[] = [];
    const [binary, closed]: [ArrayBuffer[], number[]] = [[], []];
    const socket = {
      bufferedAmount: 0,
      send: (data: string | ArrayBuffer) => void (typeof data === "string" ? heard.push(JSON.parse(data)) : binary.push(data)),
      close: (code: number) => void closed.push(code),
    };
    const connection = new Connection(hub, authorizer, socket, version, {});
    const say = (event: string, payload: unknown, of = topic) =>
      connection.receive(JSON.stringify({ topic: of, event, payload, ref: "1", join_ref: "1" }));
    const join = (config: object = {}) =>
      say("phx_join", { config: { private: true, broadcast: { ack: true }, presence: { enabled: true }, ...config } });
    const track = (payload: unknown) => say("presence", { event: "track", payload });
    const told = () => heard.map(({ event }) => event);
    const answers = () =>
      heard.filter(({ event }) => event === "phx_reply").map(({ payload }) => payload.response.reason ?? payload.status);
    return { connection, socket, heard, binary, closed, say, join, track, told, answers };
  };
  const enter = async (config: object = {}, version?: Version) => {
    const client = connect(version);
    await client.join(config);
    client.heard.length = 0;
    return client;
  };
  return { hub, connect, enter };
}

/** As text, because serializing it would overflow the stack. */
const nested = (levels: number): string => `${'{"toJSON":'.repeat(levels)}1${"}".repeat(levels)}`;
const sent = (event: string, payload: string) => `{"topic":"${topic}","event":"${event}","ref":"1","join_ref":"1","payload":${payload}}`;

test("a deeply nested presence state ends only its sender's channel", async () => {
  const { hub, enter } = room();
  const [ann, bob] = [await enter(), await enter()];
  await bob.connection.receive(sent("presence", `{"event":"track","payload":${nested(5_000)}}`));
  expect(bob.heard).toMatchObject([{ payload: { message: "Track message size exceeded" } }, { event: "phx_close" }]);
  bob.connection.close();
  await ann.say("broadcast", { event: "note", payload: 1 });
  expect([ann.told(), ann.closed, hub.sizeOf({ topic })]).toEqual([["phx_reply"], [], 1]);
});

test.each(["1.0.0", "2.0.0"] as const)("a broadcast too deep to encode closes no socket (version %s)", async (version) => {
  const errors = vi.spyOn(console, "error").mockClear();
  const { enter } = room();
  const [ann, bob] = [await enter({}, version), await enter()];
  await bob.connection.receive(sent("broadcast", `{"event":"note","payload":${nested(20_000)}}`));
  await bob.say("broadcast", { event: "note", payload: 1 });
  expect([bob.answers(), ann.closed, bob.closed]).toEqual([["ok", "ok"], [], []]);
  expect([ann.heard.length + ann.binary.length, errors.mock.calls]).toEqual([1, []]);
});

test("a presence state has at most 8,192 characters and ten levels", async () => {
  const { hub, enter } = room();
  const ann = await enter();
  for (const payload of ["x".repeat(9_000), ["x"], 7, null]) await ann.track(payload);
  expect([ann.answers(), hub.presenceState({ topic })]).toEqual([Array(4).fill("Presence track payload must be a map"), {}]);
  const bob = await enter();
  await bob.track({ text: "x".repeat(8_192 - '{"text":""}'.length) });
  await bob.connection.receive(sent("presence", `{"event":"track","payload":${nested(10)}}`));
  expect(bob.answers()).toEqual(["ok", "ok"]);
  await bob.connection.receive(sent("presence", `{"event":"track","payload":${nested(11)}}`));
  expect(bob.told().at(-1)).toBe("phx_close");
  const carl = await enter();
  await carl.track({ text: "x".repeat(8_193 - '{"text":""}'.length) });
  expect(carl.told().at(-1)).toBe("phx_close");
});

test("rejoining doesn't reset the presence limit", async () => {
  const { enter } = room();
  const ann = await enter();
  for (let call = 0; call < 5; call++) await ann.track({ call });
  await ann.join();
  await ann.track({ call: 5 });
  expect(ann.heard.at(-2)).toMatchObject({ payload: { message: "Client presence rate limit exceeded" } });
  await vi.advanceTimersByTimeAsync(31_000);
  await ann.join();
  await ann.track({ call: 6 });
  expect(ann.answers().at(-1)).toBe("ok");
});

test("a presence state counts once per recipient", async () => {
  const { enter } = room();
  const [ann, bob] = [await enter(), await enter()];
  for (let other = 2; other < 60; other++) await enter();
  void ann.track({ text: "x".repeat(8_000) });
  await vi.advanceTimersByTimeAsync(100);
  expect(bob.told()).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(bob.told()).toEqual(["presence_diff"]);
});

test("joining and rejoining are throttled by the size of the presence state", async () => {
  const { connect, enter } = room();
  for (let other = 0; other < 80; other++) {
    const { join, track } = connect();
    void join();
    void track({ text: "x".repeat(8_000) });
    await vi.advanceTimersByTimeAsync(10_000);
  }
  const ann = await enter();
  void ann.join();
  await vi.advanceTimersByTimeAsync(100);
  expect(ann.told()).toEqual(["phx_reply"]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ann.told()).toEqual(["phx_reply", "presence_state"]);
});

test("a socket that doesn't read is closed and removed for others", async () => {
  const { hub, enter } = room();
  const [ann, bob] = [await enter(), await enter()];
  await bob.track({});
  ann.heard.length = 0;
  bob.socket.bufferedAmount = 5_000_000;
  await ann.track({});
  await ann.say("broadcast", { event: "note" });
  expect([bob.closed, ann.closed, hub.sizeOf({ topic })]).toEqual([[1008], [], 1]);
  expect(ann.heard.filter(({ event }) => event === "presence_diff").map(({ payload }) => Object.keys(payload.leaves).length)).toEqual([
    0, 1,
  ]);
});

test("an event name has at most 255 bytes", async () => {
  const { enter } = room();
  const [ann, bob] = [await enter({}, "2.0.0"), await enter()];
  for (const event of ["x".repeat(256), "é".repeat(128), 7, {}, null]) await bob.say("broadcast", { event, payload: 1 });
  expect([bob.answers(), ann.binary]).toEqual([Array(5).fill("an event has 255 bytes at most"), []]);
  for (const event of ["x".repeat(255), "é".repeat(127)]) await bob.say("broadcast", { event, payload: 1 });
  expect([bob.answers().slice(5), ann.binary.length]).toEqual([["ok", "ok"], 2]);
});

test("a presence key has at most 255 bytes, and requested changes are short", async () => {
  const { connect } = room();
  for (const presence of [{ key: [[]] }, { key: 7 }, { key: "x".repeat(256) }]) {
    const ann = connect();
    await ann.join({ presence });
    expect(ann.answers()).toEqual(["InvalidJoinPayload: presence key"]);
  }
  for (const postgres_changes of ["x".repeat(9_000), ["xx"], [{ table: "x".repeat(9_000) }], {}]) {
    const ann = connect();
    await ann.join({ postgres_changes });
    expect(ann.answers()).toEqual(["InvalidJoinPayload: postgres_changes"]);
  }
});

test.each(["constructor", "toString", "__proto__"])("the presence key %s doesn't hide others", async (key) => {
  const { enter, connect } = room();
  for (const each of ["ann", key]) await (await enter({ presence: { key: each } })).track({ name: each });
  const late = connect();
  await late.join();
  const { payload } = late.heard.at(-1)!;
  expect(Object.getOwnPropertyNames(payload)).toEqual(["ann", key]);
  expect(Object.getOwnPropertyDescriptor(payload, key)?.value).toMatchObject({ metas: [{ name: key }] });
});

test("a client that disconnects during authorization isn't shown", async () => {
  let allow = (_: boolean) => {};
  const verify = async () => ({ exp: Date.now() / 1_000 + 1 });
  const { enter, connect } = room({ verify, mayWrite: () => new Promise((resolve) => (allow = resolve)) });
  const [ann, bob] = [await enter(), connect()];
  await bob.say("phx_join", { access_token: "token", config: { private: true, presence: { enabled: true } } });
  const tracked = bob.track({});
  await vi.advanceTimersByTimeAsync(2_000);
  allow(true);
  await tracked;
  expect([bob.told().includes("phx_close"), ann.told()]).toEqual([true, []]);
});
