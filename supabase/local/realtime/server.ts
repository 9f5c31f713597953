import type { Sql } from "postgres";
import { isObject } from "#contract/blocks/read.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { networkOf } from "#contract/rules/network-of.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { isOfThisMachine } from "../engine/this-machine.ts";
import type { Part } from "../engine/parts.ts";
import { sockets, upgrade } from "../gateway/websocket.ts";
import type { Keys } from "../keys.ts";
import { type Authorizer, createAuthorizer, type Claims } from "./authorize.ts";
import { Connection } from "./connection.ts";
import { fitsFrame } from "./frames.ts";
import { Hub } from "./hub.ts";

interface Sent {
  topic: string;
  event: string;
  payload: unknown;
  private: boolean;
}

/** Sockets per address (per /64 for IPv6), except this machine, where functions have one per editor tab. */
const mostSockets = 100;
/** An address can't connect for this long after a flood. */
const floodMs = 30_000;
const mostAtOnce = 100;
const pauseMs = 10;
const mostTaken = 1_000;
/** Events that revoke access when a membership or session ends. Hosted rechecks only when a token is refreshed. */
const endings = ["member-left", "session-ended"];

/** Minimal Supabase Realtime for private channels: broadcast, presence, and realtime.send() from the database. */
export class Realtime implements Part {
  readonly name = "realtime";
  readonly #hub = new Hub();
  readonly #socketsOf = new Map<string, number>();
  readonly #floodedAt = new RecentlyUsed<number>(1_000, () => 1);
  readonly #sql: Sql;
  readonly #keys: Keys;
  readonly #listensOn: string;
  #listens = false;
  #delivers = false;
  #isMore = false;

  constructor(sql: Sql, keys: Keys, listensOn: string) {
    this.#sql = sql;
    this.#keys = keys;
    this.#listensOn = listensOn;
  }

  /** Listens for database messages; catches up after a lost connection. */
  async start(): Promise<void> {
    await this.#sql.listen(
      "realtime_messages",
      () => void this.#deliverSent(),
      () => void this.#deliverSent(),
    );
    this.#listens = true;
  }

  health(databaseAnswers: boolean): Record<string, boolean> {
    return { realtime: databaseAnswers && this.#listens };
  }

  /** Handles a request below /realtime/v1; null before the start. */
  fetch(request: Request, address: string, body: Uint8Array | null = null): Response | Promise<Response> | null {
    if (!this.#listens) return null;
    const url = new URL(request.url);
    const claims = this.#claimsOf(url.searchParams.get("apikey") ?? request.headers.get("apikey"));
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
    if (!claims) return Response.json({ message: "Invalid API key" }, { status: 401, headers: cors });
    if (url.pathname.endsWith("/websocket") && request.headers.get("upgrade")?.toLowerCase() === "websocket") {
      return this.#connect(request, url.searchParams.get("vsn") === "2.0.0" ? "2.0.0" : "1.0.0", claims, address);
    }
    if (url.pathname.endsWith("/api/broadcast") && request.method === "POST") return this.#broadcastByHttp(request, body, claims);
    return Response.json({ message: "Not found" }, { status: 404, headers: cors });
  }

  #claimsOf(apiKey: string | null): Claims | null {
    if (apiKey === this.#keys.publishableKey) return { role: "anon" };
    return apiKey === this.#keys.secretKey ? { role: "service_role" } : null;
  }

  #connect(request: Request, version: "1.0.0" | "2.0.0", claims: Claims, address: string): Response {
    const network = networkOf(address);
    const isFlooding = (this.#floodedAt.get(network) ?? -Infinity) > performance.now() - floodMs;
    if (((this.#socketsOf.get(network) ?? 0) >= mostSockets || isFlooding) && !isOfThisMachine(address, this.#listensOn)) {
      return Response.json({ message: "Too many connections" }, { status: 429, headers: cors });
    }
    const upgraded = upgrade(request, { idleTimeout: 60 });
    if (!upgraded) return Response.json({ message: "This isn't a WebSocket handshake" }, { status: 400, headers: cors });
    const { socket, response } = upgraded;
    this.#socketsOf.set(network, (this.#socketsOf.get(network) ?? 0) + 1);
    socket.binaryType = "arraybuffer";
    const flooded = () => this.#floodedAt.set(network, performance.now());
    const authorizer = createAuthorizer(this.#sql, this.#keys.jwtSecret);
    const connection = new Connection(this.#hub, authorizer, socket, version, claims, flooded);
    socket.onmessage = ({ data }) => void connection.receive(data).catch(() => socket.close(1011));
    sockets.realtime += 1;
    socket.onclose = () => {
      socket.onclose = null; // see gateway/websocket.ts
      sockets.realtime -= 1;
      const left = this.#socketsOf.get(network)! - 1;
      if (left > 0) this.#socketsOf.set(network, left);
      else this.#socketsOf.delete(network);
      try {
        connection.close();
      } catch (error) {
        console.error("realtime:", error);
      }
    };
    return response;
  }

  async #broadcastByHttp(request: Request, body: Uint8Array | null, claims: Claims): Promise<Response> {
    const messages = messagesIn(body);
    if (messages === null) return Response.json({ message: "messages are missing or of no known form" }, { status: 422, headers: cors });
    if (messages.length > mostAtOnce) return Response.json({ message: "Too many messages" }, { status: 413, headers: cors });
    const authorizer = createAuthorizer(this.#sql, this.#keys.jwtSecret);
    const bearer = /^Bearer (?!sb_)(.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    const sender = bearer ? await authorizer.verify(bearer).catch(() => null) : claims;
    if (!sender) return Response.json({ message: "Unauthorized" }, { status: 401, headers: cors });
    // Public messages are dropped silently, as on hosted.
    const sent = messages.filter((message) => message.private);
    const topics = await topicsOf(sent, sender, authorizer);
    for (const message of sent) if (topics.has(message.topic)) this.#send(message);
    return new Response(null, { status: 202, headers: cors });
  }

  /** Polls immediately, then batches what arrives shortly after. */
  async #deliverSent(): Promise<void> {
    this.#isMore = true;
    if (this.#delivers) return;
    this.#delivers = true;
    try {
      while (this.#isMore) {
        this.#isMore = false;
        await this.#deliverOnce();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      this.#delivers = false;
    }
  }

  /** Ordered by command id within a transaction, because row order isn't guaranteed. */
  async #deliverOnce(): Promise<void> {
    const rows = await this.#sql<Sent[]>`
      with next as materialized (
        select id, inserted_at, cmin::text::bigint as command, ctid as place from realtime.messages where extension = 'broadcast' and event is not null
        order by inserted_at, command, place limit ${mostTaken}
      ), taken as (
        delete from realtime.messages m using next where m.id = next.id and m.inserted_at = next.inserted_at
        returning m.topic, m.event, m.payload, m.private, next.inserted_at, next.command, next.place
      )
      select topic, event, payload, private from taken order by inserted_at, command, place
    `.catch(() => []); // Postgres is restarting; listening again polls again
    this.#isMore ||= rows.length === mostTaken;
    const checked = new Set<string>();
    for (const row of rows.filter((sent) => sent.private)) {
      this.#send(row);
      if (endings.includes(row.event)) this.#askOnce(String((row.payload as { user_id?: unknown } | null)?.user_id), checked);
    }
  }

  /** One check for all of a person's endings in a batch. */
  #askOnce(person: string, checked: Set<string>): void {
    if (!checked.has(person)) this.#hub.askAgain(person);
    checked.add(person);
  }

  #send({ topic, event, payload }: Sent): void {
    this.#hub.broadcast({ topic: `realtime:${topic}` }, event, payload);
  }
}

/** Messages of an HTTP call; null if it's invalid. */
function messagesIn(body: Uint8Array | null): Sent[] | null {
  if (body === null || hasTooManyValues(body)) return null;
  try {
    const { messages } = JSON.parse(new TextDecoder().decode(body)) as { messages?: unknown };
    return Array.isArray(messages) && messages.every(isSent) ? messages : null;
  } catch {
    return null;
  }
}

const isSent = (message: unknown): message is Sent => isObject(message) && isName(message.topic) && isName(message.event);
/** Postgres text can't contain NUL. */
const isName = (name: unknown): boolean => typeof name === "string" && name !== "" && !name.includes("\0") && fitsFrame(name);

/** The topics that the sender can write to, each checked once. Requires a session: supabase/schemas/83-live.sql. */
async function topicsOf(messages: readonly Sent[], sender: Claims, authorizer: Authorizer): Promise<Set<string>> {
  const allowed = new Set<string>();
  if (sender.role === "anon") return allowed;
  for (const topic of new Set(messages.map((message) => message.topic)))
    if (await authorizer.mayWrite(topic, sender, "broadcast")) allowed.add(topic);
  return allowed;
}

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
  "access-control-allow-methods": "POST, OPTIONS",
};
