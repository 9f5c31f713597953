import { presenceClose, presenceProtocol, presenceSocketsPerPerson } from "#contract/presence.ts";
import { bearerToken } from "../_shared/bearer-token.ts";
import type { Env } from "../_shared/env.ts";
import { AppError, presentError } from "../_shared/errors.ts";
import { describeFault, log, type Log } from "../_shared/log.ts";
import { requestId } from "../_shared/request-id.ts";
import { requireSameOrigin } from "../_shared/same-origin.ts";
import { cookiesIn, storedSession } from "#contract/stored-session.ts";
import { createTokenVerifier, type Identity, type VerifyToken } from "../_shared/tokens.ts";
import { Bridge, closingOf } from "./bridge.ts";
import { openChannel, readPerson, standingOf } from "./queries.ts";
import { openedSeals, Seal } from "./seal.ts";
import { Seats } from "./limits.ts";

export interface Host {
  env: Env;
  upgrade(request: Request, options: { protocol?: string; idleTimeout: number }): { socket: WebSocket; response: Response };
  /** Hosted: keeps the worker alive while a socket is open. */
  keepAlive(until: Promise<unknown>): void;
  write?: Log;
}

export interface Presence {
  fetch(request: Request): Promise<Response>;
  /** On shutdown: clients reconnect to another worker after 3 s. */
  closeAll(): void;
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const address = new RegExp(`^(?:/ws)?/presence/(${uuid})/(${uuid})$`);
const idleTimeout = 75; // seconds; clients ping every 30

export function createPresence({ env, upgrade, keepAlive, write = log }: Host): Presence {
  const verify = createTokenVerifier(env);
  const bridges = new Set<Bridge>();
  const opened = openedSeals();
  const seats = new Seats<Bridge>(presenceSocketsPerPerson);

  const accept = async (request: Request): Promise<Response> => {
    const [, workspaceId, postId] = address.exec(new URL(request.url).pathname.toLowerCase()) ?? [];
    if (!workspaceId || !postId) throw new AppError("not_found");
    const { user, protocol } = await authenticate(request, env, verify);
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return new Response("Upgrade required", { status: 426 });
    const membership = await standingOf(env, user, workspaceId);
    const upgraded = asHandshake(() => upgrade(request, { protocol, idleTimeout }));
    if (!upgraded) return new Response("This isn't a WebSocket handshake", { status: 400 });
    const { socket, response } = upgraded;
    // Accepts, then closes with a code: a refused upgrade gives browsers no reason, so they'd retry forever.
    if (membership === "removed" || membership === "signed out") {
      socket.addEventListener("open", () => socket.close(...closingOf(membership)));
      return response;
    }
    keepAlive(new Promise((resolve) => socket.addEventListener("close", resolve)));
    const tab = crypto.randomUUID();
    const { channel, close } = openChannel(env, { user, workspaceId, postId, tab, onEnding: () => void bridge.recheck() });
    const bridge = new Bridge({
      socket,
      channel,
      closeChannel: close,
      seal: new Seal(env, `${workspaceId}:${postId}`, opened),
      tab,
      userId: user.id,
      sessionEndsAt: user.expiresAt,
      mayWrite: membership === "member",
      readPerson: () => readPerson(env, user),
      standing: () => standingOf(env, user, workspaceId),
      warn: (message) => write({ event: "warning", id: tab, message }),
    });
    bridges.add(bridge);
    const person = `${workspaceId}:${user.id}`;
    seats.take(person, bridge)?.close(presenceClose.displaced, "too many sockets");
    socket.addEventListener("close", () => {
      bridges.delete(bridge);
      seats.leave(person, bridge);
    });
    return response;
  };

  return {
    fetch: async (request) => {
      const started = performance.now();
      const id = requestId(request.headers);
      const response = await accept(request).catch((thrown: unknown) => refuse(thrown, id, write));
      const ms = Math.round((performance.now() - started) * 10) / 10;
      write({ event: "request", id, method: request.method, route: "/ws/presence/{workspaceId}/{postId}", status: response.status, ms });
      return response;
    },
    closeAll: () => bridges.forEach((bridge) => bridge.close(presenceClose.restarting, "restarting")),
  };
}

/** null for an invalid handshake, e.g. without Sec-WebSocket-Key, which only foreign gateways let through. */
function asHandshake<Upgraded>(upgrade: () => Upgraded): Upgraded | null {
  try {
    return upgrade();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function refuse(thrown: unknown, id: string, write: Log): Response {
  const error = thrown instanceof AppError ? thrown : new AppError("internal", { cause: thrown });
  if (error.status >= 500) write({ event: "fault", id, fault: describeFault(thrown) });
  const { body, headers } = presentError(error, id);
  return Response.json(body, { status: error.status, headers });
}

/** Session cookie with our Origin, bearer token, or subprotocol `jwt.{token}`. No renewal: an upgrade can't set cookies. */
async function authenticate(request: Request, env: Env, verify: VerifyToken): Promise<{ user: Identity; protocol?: string }> {
  const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());
  const protocol = offered.includes(presenceProtocol) ? presenceProtocol : undefined;
  const token = offered.find((name) => name.startsWith("jwt."))?.slice("jwt.".length) ?? bearerToken(request.headers);
  if (token !== null) return { user: await requireUser(verify(token)), protocol };
  const stored = storedSession(cookiesIn(request.headers.get("cookie")));
  if (!stored) throw new AppError("unauthenticated");
  requireSameOrigin(request.headers, env.publicUrl, true);
  return { user: await requireUser(verify(stored.access_token)), protocol };
}

async function requireUser(user: Promise<Identity | null>): Promise<Identity> {
  const identity = await user;
  if (!identity) throw new AppError("unauthenticated");
  return identity;
}
