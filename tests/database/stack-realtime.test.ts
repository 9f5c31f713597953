import { randomUUID } from "node:crypto";
import { createClient, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, afterEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { signToken } from "../support/token.ts";
import { withWorkspace } from "./support/committed.ts";

const { url, dbUrl, ownerUrl, publishableKey, jwtSecret } = inject("stack");
const admin = postgres(dbUrl, { max: 1, onnotice: () => {} });
const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
afterAll(() => Promise.all([admin.end(), owner.end()]));

const clients: SupabaseClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.removeAllChannels();
});

function connect(vsn = "2.0.0"): SupabaseClient {
  const client = createClient(url, publishableKey, { auth: { persistSession: false }, realtime: { vsn } as object });
  clients.push(client);
  return client;
}

const joined = (channel: RealtimeChannel): Promise<string> => new Promise((resolve) => void channel.subscribe((status) => resolve(status)));

async function until(ready: () => boolean): Promise<void> {
  await expect.poll(ready, { timeout: 30_000, interval: 5 }).toBe(true);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tokenOf = (sub: string, secondsToLive = 3_600, session = sub): string =>
  signToken({ jwtSecret }, { sub, session_id: session, exp: Math.floor(Date.now() / 1_000) + secondsToLive });

async function allow(topic: string, reader: string, writer: string | null): Promise<() => Promise<void>> {
  const suffix = topic.slice(-12);
  await admin.unsafe(
    `create policy "read ${suffix}" on realtime.messages for select to authenticated using (realtime.topic() = '${topic}' and auth.uid() = '${reader}')`,
  );
  if (writer)
    await admin.unsafe(
      `create policy "write ${suffix}" on realtime.messages for insert to authenticated with check (realtime.topic() = '${topic}' and auth.uid() = '${writer}')`,
    );
  return async () => {
    await admin.unsafe(`drop policy "read ${suffix}" on realtime.messages; drop policy if exists "write ${suffix}" on realtime.messages`);
  };
}

async function room() {
  const [topic, person] = [`test:${randomUUID()}`, randomUUID()];
  const forget = await allow(topic, person, person);
  const enter = async (config: object = {}, vsn?: string) => {
    const client = connect(vsn);
    await client.realtime.setAuth(tokenOf(person));
    return client.channel(topic, { config: { private: true, ...config } });
  };
  return { enter, forget };
}

describe.each(["1.0.0", "2.0.0"])("with version %s of the protocol", (vsn) => {
  test("a broadcast reaches all others, whatever its letters, and not the sender", async () => {
    const { enter, forget } = await room();
    const [ann, bob] = [await enter({ broadcast: { ack: true } }, vsn), await enter({}, vsn)];
    const heard: unknown[] = [];
    const echo: unknown[] = [];
    bob.on("broadcast", { event: "note" }, ({ payload }) => heard.push(payload));
    ann.on("broadcast", { event: "note" }, ({ payload }) => echo.push(payload));
    expect(await Promise.all([joined(ann), joined(bob)])).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    expect(await ann.send({ type: "broadcast", event: "note", payload: { text: "héllo 🎉" } })).toBe("ok");
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ text: "héllo 🎉" }]);
    expect(echo).toEqual([]);
    await forget();
  });

  test("presence reports who is there, joins and leaves", async () => {
    const { enter, forget } = await room();
    const ann = await enter({ presence: { key: "ann" } }, vsn);
    const bob = await enter({ presence: { key: "bob" } }, vsn);
    const left: string[] = [];
    bob.on("presence", { event: "sync" }, () => {}).on("presence", { event: "leave" }, ({ key }) => left.push(key));
    await joined(bob);
    await joined(ann);
    expect(await ann.track({ name: "Ann" })).toBe("ok");
    await until(() => "ann" in bob.presenceState());
    expect(bob.presenceState().ann).toMatchObject([{ name: "Ann" }]);
    await ann.unsubscribe();
    await until(() => left.includes("ann"));
    expect(bob.presenceState()).toEqual({});
    await forget();
  });
});

test("a member receives its own broadcasts if requested", async () => {
  const { enter, forget } = await room();
  const channel = await enter({ broadcast: { self: true } });
  const heard: unknown[] = [];
  channel.on("broadcast", { event: "note" }, ({ payload }) => heard.push(payload));
  await joined(channel);
  await channel.send({ type: "broadcast", event: "note", payload: 1 });
  await until(() => heard.length === 1);
  await forget();
});

test("a public channel is refused, even if the policies allow it", async () => {
  const { enter, forget } = await room();
  for (const config of [{ private: false }, { private: undefined }]) expect(await joined(await enter(config))).toBe("CHANNEL_ERROR");
  expect(await joined(await enter())).toBe("SUBSCRIBED");
  await forget();
});

describe("a channel", () => {
  async function member(topic: string, token: string): Promise<[RealtimeChannel, string]> {
    const client = connect();
    await client.realtime.setAuth(token);
    const channel = client.channel(topic, { config: { private: true, broadcast: { ack: true } } });
    return [channel, await joined(channel)];
  }

  test("admits only users whom the policies on realtime.messages let read", async () => {
    const [topic, reader] = [`test:${randomUUID()}`, randomUUID()];
    const forget = await allow(topic, reader, null);
    expect((await member(topic, tokenOf(reader)))[1]).toBe("SUBSCRIBED");
    expect((await member(topic, tokenOf(randomUUID())))[1]).toBe("CHANNEL_ERROR");
    expect((await member(`${topic}x`, tokenOf(reader)))[1]).toBe("CHANNEL_ERROR");
    expect((await member(topic, `${tokenOf(reader)}x`))[1]).toBe("CHANNEL_ERROR");
    const anonymous = connect().channel(topic, { config: { private: true } });
    expect(await joined(anonymous)).toBe("CHANNEL_ERROR");
    await forget();
  });

  test("carries only broadcasts of users whom the policies let write", async () => {
    const [topic, writer] = [`test:${randomUUID()}`, randomUUID()];
    const forget = await allow(topic, writer, writer);
    const [channel] = await member(topic, tokenOf(writer));
    expect(await channel.send({ type: "broadcast", event: "note", payload: {} })).toBe("ok");
    await forget();
    const readOnly = await allow(topic, writer, null);
    const [other] = await member(topic, tokenOf(writer));
    expect(await other.send({ type: "broadcast", event: "note", payload: {} })).toBe("error");
    await readOnly();
  });

  test("receives nothing from the public channel of the same name", async () => {
    const [topic, reader] = [`test:${randomUUID()}`, randomUUID()];
    const forget = await allow(topic, reader, reader);
    const [channel] = await member(topic, tokenOf(reader));
    const heard: unknown[] = [];
    channel.on("broadcast", { event: "*" }, (message) => heard.push(message));
    const message = { topic, event: "note", payload: {}, private: false };
    const headers = { apikey: publishableKey, authorization: `Bearer ${tokenOf(reader)}`, "content-type": "application/json" };
    const send = (messages: object[]) =>
      fetch(`${url}/realtime/v1/api/broadcast`, { method: "POST", headers, body: JSON.stringify({ messages }) });
    expect((await send([message])).status).toBe(202);
    await owner`select realtime.send('{}', 'note', ${topic}, false)`;
    await send([{ ...message, private: true, event: "last" }]);
    await until(() => heard.length > 0);
    expect(heard).toMatchObject([{ event: "last" }]);
    await forget();
  });

  test("never shows a client that joined, tracked and left at once", async () => {
    const [topic, person] = [`test:${randomUUID()}`, randomUUID()];
    const forget = await allow(topic, person, person);
    for (let round = 0; round < 5; round++) {
      const socket = new WebSocket(`${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`);
      await new Promise((resolve) => socket.addEventListener("open", resolve));
      const say = (event: string, payload: object) =>
        socket.send(JSON.stringify({ topic: `realtime:${topic}`, event, payload, ref: "1", join_ref: "1" }));
      say("phx_join", { access_token: tokenOf(person), config: { private: true, presence: { key: `ghost ${round}`, enabled: true } } });
      say("presence", { type: "presence", event: "track", payload: { name: "Ghost" } });
      socket.close();
      await new Promise((resolve) => socket.addEventListener("close", resolve));
    }
    const client = connect();
    await client.realtime.setAuth(tokenOf(person));
    const late = client.channel(topic, { config: { private: true, presence: { key: "late" } } });
    late.on("presence", { event: "sync" }, () => {});
    expect(await joined(late)).toBe("SUBSCRIBED");
    await late.track({ name: "Late" });
    await until(() => "late" in late.presenceState());
    expect(Object.keys(late.presenceState())).toEqual(["late"]);
    await forget();
  });

  test("ends with the token it was joined with", async () => {
    const [topic, reader] = [`test:${randomUUID()}`, randomUUID()];
    const forget = await allow(topic, reader, null);
    const client = connect();
    await client.realtime.setAuth(tokenOf(reader, 8)); // a busy machine has joined by then
    const channel = client.channel(topic, { config: { private: true } });
    const states: string[] = [];
    channel.subscribe((status) => states.push(status));
    await until(() => states[0] === "SUBSCRIBED");
    await until(() => states.length > 1);
    await forget();
  });

  test("of a workspace closes immediately for a removed member, and for no other", async () => {
    await withWorkspace(admin, 1, async ({ owner: stays, workspace, people: [goes] }) => {
      await admin`insert into public.members (workspace_id, user_id, role) values (${workspace}, ${goes!}, 'viewer')`;
      const [elsewhere, forget] = [`test:${goes}`, await allow(`test:${goes}`, goes!, null)];
      const listen = async (topic: string, person: string) => {
        const [channel, state] = await member(topic, tokenOf(person));
        expect(state).toBe("SUBSCRIBED");
        const heard: string[] = [];
        channel.on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
        return heard;
      };
      const topic = `workspace:${workspace}`;
      const [stayed, gone, other] = [await listen(topic, stays), await listen(topic, goes!), await listen(elsewhere, goes!)];
      await admin.begin(async (tx) => {
        await tx`delete from public.members where user_id = ${goes!}`;
        await tx`select realtime.send('{}', 'secret', ${topic}, true)`;
      });
      await admin`select realtime.send('{}', 'later', ${topic}, true)`;
      await admin`select realtime.send('{}', 'elsewhere', ${elsewhere}, true)`;
      await until(() => stayed.length === 3 && other.length === 1);
      expect([stayed, gone]).toEqual([["member-left", "secret", "later"], ["member-left"]]);
      expect((await member(topic, tokenOf(goes!)))[1]).toBe("CHANNEL_ERROR");
      await forget();
    });
  });

  test("of a workspace closes with the session it was joined in, not with another one of the user", async () => {
    await withWorkspace(admin, 0, async ({ owner: person, workspace }) => {
      const [topic, other] = [`workspace:${workspace}`, randomUUID()];
      await admin`insert into auth.sessions (id, user_id) values (${other}, ${person})`;
      const listen = async (session: string) => {
        const [channel, state] = await member(topic, tokenOf(person, 3_600, session));
        expect(state).toBe("SUBSCRIBED");
        const heard: string[] = [];
        channel.on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
        return heard;
      };
      const [stayed, gone] = [await listen(person), await listen(other)];
      await admin`delete from auth.sessions where id = ${other}`;
      await until(() => stayed.length === 1);
      await admin`select realtime.send('{}', 'later', ${topic}, true)`;
      await until(() => stayed.length === 2);
      expect([stayed, gone]).toEqual([["session-ended", "later"], ["session-ended"]]);
      expect((await member(topic, tokenOf(person, 3_600, other)))[1]).toBe("CHANNEL_ERROR");
    });
  });

  describe("realtime.send() in the database", () => {
    async function listener(): Promise<{ topic: string; heard: unknown[]; forget: () => Promise<void> }> {
      const [topic, reader] = [`test:${randomUUID()}`, randomUUID()];
      const forget = await allow(topic, reader, null);
      const [channel, state] = await member(topic, tokenOf(reader));
      expect(state).toBe("SUBSCRIBED");
      const heard: unknown[] = [];
      channel.on("broadcast", { event: "*" }, ({ event, payload }) => heard.push([event, (payload as { n: number }).n]));
      return { topic, heard, forget };
    }

    test("delivers a transaction's messages after the commit, in order", async () => {
      const { topic, heard, forget } = await listener();
      await owner.begin(async (tx) => {
        for (const n of [1, 2, 3]) await tx`select realtime.send(${tx.json({ n })}, 'note', ${topic}, true)`;
        await pause(100);
        expect(heard).toEqual([]);
      });
      await until(() => heard.length === 3);
      expect(heard).toEqual([
        ["note", 1],
        ["note", 2],
        ["note", 3],
      ]);
      await forget();
    });

    test("delivers nothing of a rolled back transaction", async () => {
      const { topic, heard, forget } = await listener();
      await owner
        .begin(async (tx) => {
          await tx`select realtime.send('{"n": 1}', 'note', ${topic}, true)`;
          throw new Error("undo");
        })
        .catch(() => {});
      await owner`select realtime.send('{"n": 2}', 'note', ${topic}, true)`;
      await until(() => heard.length > 0);
      expect(heard).toEqual([["note", 2]]);
      await forget();
    });

    test("keeps the order when rows fill gaps between older ones", async () => {
      const { topic, heard, forget } = await listener();
      const sender = postgres(ownerUrl, { max: 1, onnotice: () => {} });
      const fill = (count: number) =>
        admin`insert into realtime.messages (topic, extension, payload) select 'stays', 'presence', to_jsonb(n) from generate_series(1, ${count}::int) as n`;
      await admin`vacuum realtime.messages_of_all_days`;
      await fill(1_056);
      await admin`delete from realtime.messages where topic = 'stays' and (payload::int between 177 and 264 or payload::int between 705 and 792)`;
      await admin`vacuum realtime.messages_of_all_days`;
      await fill(1); // fills the first of two gaps: the next connection fills the second, then the rest of the first
      await sender`select realtime.send(jsonb_build_object('n', n), 'note', ${topic}, true) from generate_series(1, 500) as n`;
      await sender.end();
      await until(() => heard.length === 500);
      await admin`delete from realtime.messages where topic = 'stays'`;
      expect(heard).toEqual(Array.from({ length: 500 }, (_, at) => ["note", at + 1]));
      await forget();
    });

    test("leaves no rows behind", async () => {
      await owner`select realtime.send('{"n": 1}', 'note', 'nobody listens', true)`;
      await expect.poll(async () => (await admin`select 1 from realtime.messages`).length, { timeout: 30_000 }).toBe(0);
    });
  });
});

describe("an anonymous connection", () => {
  async function open() {
    const socket = new WebSocket(`${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`);
    onTestFinished(() => socket.close());
    let answered = 0;
    socket.addEventListener("message", () => (answered += 1));
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const say = (topic: string, event: string, payload: object = {}) =>
      socket.send(JSON.stringify({ topic, event, payload, ref: "1", join_ref: "1" }));
    return { closed, say, answered: () => answered };
  }

  test("is closed when it floods, and no other is", async () => {
    const [{ say, closed }, other] = await Promise.all([open(), open()]);
    for (let count = 0; count < 2_000; count++) say(`realtime:test:${count}`, "phx_join", { config: { private: true } });
    expect([1006, 1008]).toContain(await closed); // data in flight may have crossed the reason
    other.say("phoenix", "heartbeat");
    await until(() => other.answered() === 1);
  });
});

test("more than a hundred messages by one call are refused", async () => {
  const messages = Array.from({ length: 101 }, () => ({ topic: "test:many", event: "note", payload: {}, private: true }));
  const headers = { apikey: publishableKey, "content-type": "application/json" };
  const send = (body: object) => fetch(`${url}/realtime/v1/api/broadcast`, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await send({ messages })).status).toBe(413);
  expect((await send({ messages: messages.slice(1) })).status).toBe(202);
});
