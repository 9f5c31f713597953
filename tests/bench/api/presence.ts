import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { StackFile } from "../../support/stack.ts";
import { quantile } from "./calls.ts";
import type { Place } from "./people.ts";

interface Tab {
  socket: WebSocket;
  others: { userId: string; isEditing: boolean }[];
  onUpdate: () => void;
}

async function open(stack: StackFile, { workspaceId, people }: Place, postId: string, person: number): Promise<Tab> {
  const { id, token } = people[person % people.length]!;
  const address = `${stack.url.replace("http", "ws")}/ws/presence/${workspaceId}/${postId}`;
  const socket = new WebSocket(address, ["presence.v1", `jwt.${token}`]);
  const tab: Tab = { socket, others: [], onUpdate: () => {} };
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as { type: string; participants: Tab["others"] };
    if (message.type !== "presence-update") return;
    tab.others = message.participants;
    tab.onUpdate();
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  socket.send(JSON.stringify({ type: "join", userId: id, fullName: "x" }));
  return tab;
}

/** Fifty people at one post: from one's editing-state to everyone else's presence-update. */
export async function measureEditing(
  stack: StackFile,
  place: Place,
  rounds: number,
): Promise<{ p50: number; p95: number; people: number }> {
  const tabs: Tab[] = [];
  for (let person = 0; person < 50; person++) tabs.push(await open(stack, place, place.postIds[0]!, person));
  while (tabs.some(({ others }) => others.length < 49)) await wait(50);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const editor = round % tabs.length;
    const isEditing = Math.floor(round / tabs.length) % 2 === 0;
    const { id } = place.people[editor]!;
    const began = performance.now();
    const heard = tabs
      .filter((_, index) => index !== editor)
      .map(
        (tab) =>
          new Promise<void>((resolve) => {
            tab.onUpdate = () => {
              if (tab.others.find(({ userId }) => userId === id)?.isEditing !== isEditing) return;
              times.push(performance.now() - began);
              tab.onUpdate = () => {};
              resolve();
            };
          }),
      );
    tabs[editor]!.socket.send(JSON.stringify({ type: "editing-state", isEditing }));
    await Promise.all(heard);
    await wait(20);
  }
  tabs.forEach(({ socket }) => socket.close());
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), people: tabs.length };
}

/** Opens sockets, ten at each post in turn, and waits until each has heard of the others there. */
export async function holdSockets(stack: StackFile, place: Place, count: number): Promise<{ close(): void }> {
  const tabs: Tab[] = [];
  for (let batch = 0; batch < count / 10; batch++) {
    const postId = place.postIds[batch % place.postIds.length]!;
    tabs.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => open(stack, place, postId, batch * 10 + index)))));
  }
  await wait(3_000);
  const held = tabs.filter(({ socket, others }) => socket.readyState === WebSocket.OPEN && others.length > 0).length;
  if (held < tabs.length) throw new Error(`only ${held} of ${tabs.length} sockets are held`);
  return { close: () => tabs.forEach(({ socket }) => socket.close()) };
}

/** The memory of the function with 500 sockets, in megabytes. */
export async function measureSockets(stack: StackFile, place: Place): Promise<number> {
  const sockets = await holdSockets(stack, place, 500);
  const rss = Number(execFileSync("ps", ["-o", "rss=", "-p", String(stack.pids.functions.presence)], { encoding: "utf8" })) / 1_024;
  sockets.close();
  return rss;
}
