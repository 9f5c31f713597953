import { inject } from "vitest";
import { serverMessage, type ClientMessage, type Participant } from "#contract/presence.ts";
import type { Person } from "./people.ts";

const { url } = inject("stack");

interface Connection {
  headers?: Record<string, string>;
  protocols?: string[];
}

export class PresenceTab {
  readonly #socket: WebSocket;
  participants: Participant[] | undefined;
  updates = 0;
  readonly #named = new Set<string>();
  pongs = 0;
  readonly opened: Promise<"open" | number>;
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(path: string, connection: Connection) {
    this.#socket = new WebSocket(url.replace("http", "ws").replace("127.0.0.1", "localhost") + path, connection as never);
    this.closed = new Promise((resolve) => this.#socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason })));
    this.opened = new Promise((resolve) => {
      this.#socket.addEventListener("open", () => resolve("open"));
      void this.closed.then(({ code }) => resolve(code));
    });
    this.#socket.addEventListener("message", ({ data }) => this.#hear(serverMessage.parse(JSON.parse(String(data)))));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get named(): string[] {
    return [...this.#named].sort();
  }

  #hear(message: ReturnType<typeof serverMessage.parse>): void {
    if (message.type === "pong") this.pongs += 1;
    else {
      this.participants = message.participants;
      for (const { fullName, isEditing } of message.participants) this.#named.add(`${fullName}${isEditing ? " edits" : ""}`);
      this.updates += 1;
    }
  }

  send(message: ClientMessage | object | string): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  close(): void {
    this.#socket.close(1000);
  }
}

export async function joinedTab(path: string, person: Person): Promise<PresenceTab> {
  const tab = new PresenceTab(path, { protocols: ["presence.v1", `jwt.${person.token}`] });
  if ((await tab.opened) !== "open") throw new Error(`${person.fullName} was not let in: ${JSON.stringify(await tab.closed)}`);
  tab.send({ type: "join", userId: person.id, fullName: person.fullName, avatarUrl: null });
  return tab;
}
