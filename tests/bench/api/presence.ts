import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { presencePlaceGapMs } from "#contract/presence.ts";
import type { StackFile } from "../../support/stack.ts";
import type { PlainProgram } from "../plain/start.ts";
import { quantile } from "../report.ts";
import type { Place } from "./people.ts";

interface Tab {
  socket: WebSocket;
  others: { userId: string; isEditing: boolean; blockId: string | null }[];
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

interface Heard {
  p50: number;
  p95: number;
}

export async function compareEditing(
  stack: StackFile,
  plain: PlainProgram,
  place: Place,
  rounds: number,
): Promise<{ ours: Heard; theirs: Heard }> {
  const tabs: Tab[] = [];
  for (let person = 0; person < 50; person++) tabs.push(await open(stack, place, place.postIds[0]!, person));
  while (tabs.some(({ others }) => others.length < 49)) await wait(50);
  const room = await enterRoom(plain, tabs.length);
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const speaker = round % tabs.length;
    times.ours.push(...(await heardEditing(tabs, speaker, place.people[speaker]!.id, Math.floor(round / tabs.length) % 2 === 0)));
    await wait(20);
    // as long as the product's message about fifty people
    times.theirs.push(...(await heardMessage(room, speaker, JSON.stringify({ round, participants: tabs[speaker]!.others }))));
    await wait(20);
  }
  for (const { socket } of tabs) socket.close();
  for (const socket of room) socket.close();
  const both = (values: number[]) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95) });
  return { ours: both(times.ours), theirs: both(times.theirs) };
}

async function heardEditing(tabs: Tab[], speaker: number, userId: string, isEditing: boolean): Promise<number[]> {
  const began = performance.now();
  const heard = tabs
    .filter((_, index) => index !== speaker)
    .map(
      (tab) =>
        new Promise<number>((resolve) => {
          tab.onUpdate = () => {
            if (tab.others.find((other) => other.userId === userId)?.isEditing !== isEditing) return;
            tab.onUpdate = () => {};
            resolve(performance.now() - began);
          };
        }),
    );
  tabs[speaker]!.socket.send(JSON.stringify({ type: "editing-state", isEditing }));
  return await Promise.all(heard);
}

export async function compareMoving(
  stack: StackFile,
  plain: PlainProgram,
  place: Place,
  rounds: number,
): Promise<{ ours: Heard; theirs: Heard; updates: number }> {
  const people = 20;
  const tabs: Tab[] = [];
  for (let person = 0; person < people; person++) tabs.push(await open(stack, place, place.postIds[1]!, person));
  while (tabs.some(({ others }) => others.length < people - 1)) await wait(50);
  const room = await enterRoom(plain, people);
  let [move, updates] = [0, 0];
  tabs[1]!.socket.addEventListener("message", () => (updates += 1));
  const moves = setInterval(() => {
    move += 1;
    for (const { socket } of tabs.slice(1)) socket.send(doing(`other-${move}`));
  }, presencePlaceGapMs);
  const times = { ours: [] as number[], theirs: [] as number[] };
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    await wait(1_000); // avoids the rate limit
    times.ours.push(...(await heardMove(tabs, place.people[0]!.id, `round-${round}`)));
    times.theirs.push(...(await heardMessage(room, 0, JSON.stringify({ round, participants: tabs[0]!.others }))));
  }
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(moves);
  for (const { socket } of [...tabs, ...room.map((socket) => ({ socket }))]) socket.close();
  const both = (values: number[]) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95) });
  return { ours: both(times.ours), theirs: both(times.theirs), updates: updates / seconds };
}

const doing = (blockId: string): string => JSON.stringify({ type: "editing-state", isEditing: true, blockId });

async function heardMove(tabs: Tab[], userId: string, blockId: string): Promise<number[]> {
  const began = performance.now();
  const heard = tabs.slice(1).map(
    (tab) =>
      new Promise<number>((resolve) => {
        tab.onUpdate = () => {
          if (tab.others.find((other) => other.userId === userId)?.blockId !== blockId) return;
          tab.onUpdate = () => {};
          resolve(performance.now() - began);
        };
      }),
  );
  tabs[0]!.socket.send(doing(blockId));
  return await Promise.all(heard);
}

async function enterRoom({ url }: PlainProgram, people: number): Promise<WebSocket[]> {
  const sockets = Array.from({ length: people }, () => new WebSocket(`${url.replace("http", "ws")}/room`));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve, reject) => {
          socket.addEventListener("open", resolve);
          socket.addEventListener("error", reject);
        }),
    ),
  );
  return sockets;
}

async function heardMessage(sockets: WebSocket[], speaker: number, message: string): Promise<number[]> {
  const began = performance.now();
  const heard = sockets
    .filter((_, index) => index !== speaker)
    .map(
      (socket) =>
        new Promise<number>((resolve) => {
          const read = ({ data }: MessageEvent) => {
            JSON.parse(String(data));
            resolve(performance.now() - began);
          };
          socket.addEventListener("message", read, { once: true });
        }),
    );
  sockets[speaker]!.send(message);
  return await Promise.all(heard);
}

async function holdSockets(stack: StackFile, place: Place, count: number): Promise<{ close(): void }> {
  const tabs: Tab[] = [];
  for (let batch = 0; batch < count / 10; batch++) {
    const postId = place.postIds[batch % place.postIds.length]!;
    tabs.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => open(stack, place, postId, batch * 10 + index)))));
  }
  const held = () => tabs.filter(({ socket, others }) => socket.readyState === WebSocket.OPEN && others.length > 0).length;
  for (const began = performance.now(); held() < tabs.length; await wait(100)) {
    if (performance.now() - began > 30_000) throw new Error(`only ${held()} of ${tabs.length} sockets are held`);
  }
  await wait(3_000);
  if (held() < tabs.length) throw new Error(`only ${held()} of ${tabs.length} sockets are still held`);
  return { close: () => tabs.forEach(({ socket }) => socket.close()) };
}

export async function measureSockets(stack: StackFile, place: Place): Promise<number> {
  const sockets = await holdSockets(stack, place, 500);
  const rss = Number(execFileSync("ps", ["-o", "rss=", "-p", String(stack.pids.functions.presence)], { encoding: "utf8" })) / 1_024;
  sockets.close();
  return rss;
}
