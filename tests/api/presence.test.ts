import { randomUUID } from "node:crypto";
import { createClient, type RealtimeChannel } from "@supabase/supabase-js";
import { afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { participantColour, presenceClose, presenceSocketsPerPerson } from "#contract/presence.ts";
import { newPerson, newPost, newTeam, signedInBrowser, signToken, sql, type Team } from "./support/people.ts";
import { joinedTab, PresenceTab } from "./support/presence-client.ts";

const { url, publishableKey } = inject("stack");
const own = url.replace("127.0.0.1", "localhost");
let team: Team;
const tabs: PresenceTab[] = [];

beforeAll(async () => {
  team = await newTeam();
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});

const newPath = async () => `/ws/presence/${team.workspaceId}/${(await newPost(team.editor, team.workspaceId)).id}`;
const open = (path: string, connection: ConstructorParameters<typeof PresenceTab>[1]) => {
  const tab = new PresenceTab(path, connection);
  tabs.push(tab);
  return tab;
};
const join = async (path: string, person: Team["owner"]) => {
  const tab = await joinedTab(path, person);
  tabs.push(tab);
  return tab;
};
const sees = (tab: PresenceTab) => tab.participants?.map(({ fullName, isEditing }) => `${fullName}${isEditing ? " edits" : ""}`);
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 });

describe("presence at a post", () => {
  test("shows others with name, picture and colour, not oneself", async () => {
    const path = await newPath();
    const [olive, edda] = [await join(path, team.owner), await join(path, team.editor)];
    await eventually(() => expect([sees(olive), sees(edda)]).toEqual([["Edda Editor"], ["Olive Owner"]]));
    expect(olive.participants).toEqual([
      {
        userId: team.editor.id,
        fullName: "Edda Editor",
        avatarUrl: null,
        isEditing: false,
        blockId: null,
        isTyping: false,
        colour: participantColour(team.editor.id),
      },
    ]);
    expect(edda.protocol).toBe("presence.v1");
  });

  test("shows block and typing state, also to later ones, until they leave", async () => {
    const path = await newPath();
    const [olive, edda] = [await join(path, team.owner), await join(path, team.editor)];
    const place = (tab: PresenceTab) => {
      const { isEditing, blockId, isTyping } = tab.participants?.find(({ userId }) => userId === team.editor.id) ?? {};
      return [isEditing, blockId, isTyping];
    };
    await eventually(() => expect(place(olive)).toEqual([false, null, false]));
    edda.send({ type: "editing-state", isEditing: true, blockId: "first_-1" });
    await eventually(() => expect(place(olive)).toEqual([true, "first_-1", false]));
    edda.send({ type: "editing-state", isEditing: true, blockId: "second", isTyping: true });
    await eventually(() => expect(place(olive)).toEqual([true, "second", true]));
    const late = await join(path, team.viewer);
    await eventually(() => expect(place(late)).toEqual([true, "second", true]));
    edda.send({ type: "editing-state", isEditing: true, blockId: "no id", isTyping: true });
    edda.send({ type: "editing-state", isEditing: true });
    await eventually(() => expect([place(olive), place(late)]).toEqual(Array(2).fill([true, null, false])));
    edda.send({ type: "editing-state", isEditing: true, blockId: "third", isTyping: true });
    await eventually(() => expect(place(olive)).toEqual([true, "third", true]));
    edda.close();
    const again = await join(path, team.editor);
    again.send({ type: "editing-state", isEditing: true, blockId: "fourth", isTyping: true });
    await eventually(() => expect([place(olive), place(late)]).toEqual(Array(2).fill([true, "fourth", true])));
    again.close();
    await eventually(() => expect(place(olive)).toEqual([undefined, undefined, undefined]));
  });

  test("can't be forged for another user", async () => {
    const path = await newPath();
    const olive = await join(path, team.owner);
    const tab = open(path, { protocols: ["presence.v1", `jwt.${team.viewer.token}`] });
    await tab.opened;
    tab.send({ type: "join", userId: team.admin.id, fullName: "The Boss", avatarUrl: "https://evil.example/x.png" });
    await eventually(() =>
      expect(olive.participants).toMatchObject([{ userId: team.viewer.id, fullName: "Vera Viewer", avatarUrl: null }]),
    );
  });

  test("can't be forged through the Realtime channel", async () => {
    const path = await newPath();
    const [olive, edda] = [await join(path, team.owner), await join(path, team.editor)];
    await eventually(() => expect(sees(olive)).toEqual(["Edda Editor"]));
    const client = createClient(url, publishableKey, { auth: { persistSession: false } });
    onTestFinished(() => void client.removeAllChannels());
    await client.realtime.setAuth(team.viewer.token);
    const config = { private: true, presence: { key: "ghost" }, broadcast: { ack: true } };
    const channel = client.channel(path.slice("/ws/".length).replaceAll("/", ":"), { config });
    channel.on("presence", { event: "sync" }, () => {});
    await new Promise<void>((resolve) => void channel.subscribe((status) => status === "SUBSCRIBED" && resolve()));
    await eventually(() => expect(Object.keys(channel.presenceState())).toHaveLength(2));
    const heard = channel.presenceState();
    expect(await channel.track({ userId: team.admin.id, fullName: "The Boss", avatarUrl: null, isEditing: true })).toBe("ok");
    expect(await channel.track(Object.values(heard)[0]![0]!)).toBe("ok");
    for (const tab of Object.keys(heard))
      for (const said of [
        { tab, isEditing: true, blockId: "b1", isTyping: true },
        { sealed: `${tab}.x.y` },
        { sealed: "x".repeat(50_000) },
      ])
        await channel.send({ type: "broadcast", event: "editing", payload: said });
    const late = await join(path, team.admin);
    await eventually(() => expect(sees(late)).toHaveLength(2));
    await eventually(() => expect(sees(olive)).toHaveLength(2));
    edda.send({ type: "editing-state", isEditing: true });
    for (const tab of [olive, late]) await eventually(() => expect(sees(tab)).toContain("Edda Editor edits"));
    expect(olive.named).toEqual(["Adam Admin", "Edda Editor", "Edda Editor edits"]);
    expect(edda.named).toEqual(["Adam Admin", "Olive Owner"]);
    expect(late.named).toEqual(["Edda Editor", "Edda Editor edits", "Olive Owner"]);
  });

  test("can't be hidden through the channel under a tab's key", async () => {
    const path = await newPath();
    await join(path, team.editor);
    const enter = async (key: string): Promise<RealtimeChannel> => {
      const client = createClient(url, publishableKey, { auth: { persistSession: false } });
      onTestFinished(() => void client.removeAllChannels());
      await client.realtime.setAuth(team.viewer.token);
      const channel = client.channel(path.slice("/ws/".length).replaceAll("/", ":"), { config: { private: true, presence: { key } } });
      channel.on("presence", { event: "sync" }, () => {});
      await new Promise<void>((resolve) => void channel.subscribe((status) => status === "SUBSCRIBED" && resolve()));
      return channel;
    };
    const watcher = await enter("ghost");
    await eventually(() => expect(Object.keys(watcher.presenceState())).toHaveLength(1));
    const [tab] = Object.keys(watcher.presenceState());
    const other = await enter(tab!);
    expect(await other.track({ sealed: "nothing" })).toBe("ok");
    await eventually(() => expect(watcher.presenceState()[tab!]).toHaveLength(2));
    const late = await join(path, team.owner);
    await eventually(() => expect(sees(late)).toEqual(["Edda Editor"]));
  });

  test("keeps the newest twenty sockets of one user, and other users'", async () => {
    const path = await newPath();
    const olive = await join(path, team.owner);
    const list: PresenceTab[] = [];
    for (let count = 0; count <= presenceSocketsPerPerson; count++) list.push(await join(path, team.admin));
    expect((await list[0]!.closed).code).toBe(presenceClose.displaced);
    for (const tab of [list[1]!, list.at(-1)!, olive]) {
      tab.send({ type: "ping" });
      await eventually(() => expect(tab.pongs).toBe(1));
    }
  });
});

describe("a presence socket", () => {
  const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(own + path, { headers })).status;

  test("accepts the session cookie from our own page", async () => {
    const path = await newPath();
    const { cookieHeader } = await signedInBrowser(team.editor);
    expect(await open(path, { headers: { cookie: cookieHeader, origin: own } }).opened).toBe("open");
    expect(await open(path, { headers: { cookie: cookieHeader, origin: "https://evil.example" } }).opened).toBe(1006);
    expect(await open(path, { headers: { cookie: cookieHeader } }).opened).toBe(1006);
    expect(await status(path, { cookie: cookieHeader, origin: "https://evil.example" })).toBe(403);
    expect(await status(path, { cookie: cookieHeader, origin: own })).toBe(426);
  });

  test("is refused without a session, and for expired and forged ones", async () => {
    const path = await newPath();
    expect(await status(path)).toBe(401);
    const expired = signToken({ sub: team.editor.id, exp: Math.floor(Date.now() / 1_000) - 60 });
    for (const token of ["x", expired, signToken({ sub: team.editor.id }, { secret: "y".repeat(48) })]) {
      expect(await open(path, { protocols: ["presence.v1", `jwt.${token}`] }).opened).not.toBe("open");
      expect(await status(path, { authorization: `Bearer ${token}` })).toBe(401);
    }
  });

  test("is refused for another workspace's user, without a post and without a workspace", async () => {
    const stranger = await newPerson("Sam Stranger");
    const [, , , , postId] = (await newPath()).split("/");
    for (const path of [`/ws/presence/${team.workspaceId}/${postId}`, `/ws/presence/${randomUUID()}/${postId}`]) {
      const tab = open(path, { protocols: ["presence.v1", `jwt.${stranger.token}`] });
      expect((await tab.closed).code).toBe(presenceClose.forbidden);
      expect(tab.participants).toBeUndefined();
    }
    expect(await status("/ws/presence/x/y")).toBe(404);
    expect(await status(`/ws/presence/${team.workspaceId}`)).toBe(404);
  });

  test("closes when the session is ended elsewhere, and can't be reopened", async () => {
    const path = await newPath();
    const other = randomUUID();
    await sql`insert into auth.sessions (id, user_id) values (${other}, ${team.editor.id})`;
    const token = signToken({ sub: team.editor.id, session_id: other });
    const [stays, tab] = [await join(path, team.editor), await join(path, { ...team.editor, token })];
    await team.editor.api.delete(`/api/profiles/me/sessions/${other}`);
    expect((await tab.closed).code).toBe(presenceClose.sessionEnded);
    expect((await open(path, { protocols: ["presence.v1", `jwt.${token}`] }).closed).code).toBe(presenceClose.sessionEnded);
    expect(await Promise.race([stays.closed, new Promise((resolve) => setTimeout(resolve, 500, "open"))])).toBe("open");
  });

  test("closes for a removed member", async () => {
    const guest = await newPerson("Gus Guest");
    await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${guest.id}, 'viewer')`;
    const path = await newPath();
    const [olive, tab] = [await join(path, team.owner), await join(path, guest)];
    await eventually(() => expect(sees(olive)).toEqual(["Gus Guest"]));
    await sql`delete from public.members where workspace_id = ${team.workspaceId} and user_id = ${guest.id}`;
    expect((await tab.closed).code).toBe(presenceClose.forbidden);
  });
});
