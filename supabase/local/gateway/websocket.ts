import { type Forwarded, forwardedHeaders } from "./forwarded.ts";
import { unavailable } from "./refuse.ts";

/** Close codes that may be sent; reserved ones become 1000. */
const passable = (code: number): number => (code === 1000 || (code >= 3000 && code <= 4999) ? code : 1000);

export const sockets = { open: 0, realtime: 0 };

const mostUnread = 4_194_304;

const clientIdleTimeout = 75;

/** Accepts a WebSocket; null for an invalid handshake. */
export function upgrade(request: Request, options: Deno.UpgradeWebSocketOptions): Deno.WebSocketUpgrade | null {
  try {
    return Deno.upgradeWebSocket(request, options);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

interface Bounds {
  idleTimeout?: number;
  longestMessage?: number;
}

const handshakeHeaders = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions"];

/** Proxies a WebSocket to `port`: accepts the client once the upstream has, and forwards close codes. */
export async function forwardWebSocket(
  request: Request,
  port: number,
  pathAndQuery: string,
  forwarded: Forwarded,
  bounds?: Bounds,
): Promise<Response> {
  const headers = forwardedHeaders(request.headers, forwarded);
  for (const name of handshakeHeaders) headers.delete(name);
  const behind = connect(port, pathAndQuery, headers);
  if (!(await accepted(behind))) return await refusalOf(port, pathAndQuery, headers);
  return acceptClient(request, behind, bounds);
}

export function acceptClient(
  request: Request,
  behind: WebSocket,
  { idleTimeout = clientIdleTimeout, longestMessage = Infinity }: Bounds = {},
): Response {
  behind.binaryType = "arraybuffer";
  const upgraded = upgrade(request, { protocol: behind.protocol || undefined, idleTimeout });
  if (!upgraded) {
    behind.close();
    return new Response("This isn't a WebSocket handshake", { status: 400 });
  }
  const { socket, response } = upgraded;
  socket.binaryType = "arraybuffer";
  sockets.open += 1;
  const early: (string | ArrayBuffer)[] = [];
  behind.onmessage = ({ data }) => (socket.readyState === WebSocket.CONNECTING ? early.push(data) : relay(behind, socket, data));
  let ended: CloseEvent | undefined;
  socket.onopen = () => {
    early.forEach((data) => relay(behind, socket, data));
    if (ended) closeWith(socket, ended.code, ended.reason);
  };
  socket.onmessage = ({ data }) => (sizeOf(data) > longestMessage ? socket.close(1009, "message too long") : relay(socket, behind, data));
  behind.onclose = (event) => {
    ended = event; // possibly before the client's side opens; closing it then would leak it
    if (socket.readyState === WebSocket.OPEN) closeWith(socket, event.code, event.reason);
  };
  socket.onclose = ({ code, reason }) => {
    socket.onclose = null; // Deno fires this twice if data was unread
    sockets.open -= 1;
    closeWith(behind, code, reason);
  };
  behind.onerror = socket.onerror = () => {}; // a close event follows
  return response;
}

function connect(port: number, pathAndQuery: string, forwarded: Headers): WebSocket {
  const headers = new Headers(forwarded);
  const protocols = (headers.get("sec-websocket-protocol") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  headers.delete("sec-websocket-protocol");
  return new WebSocket(`ws://127.0.0.1:${port}${pathAndQuery}`, { protocols, headers });
}

export const accepted = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = socket.onclose = () => resolve(false);
  });

/** Repeats a refused upgrade as a plain request, to get the reason. */
async function refusalOf(port: number, pathAndQuery: string, headers: Headers): Promise<Response> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${pathAndQuery}`, {
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    });
    if (answer.status >= 400)
      return new Response(answer.body, {
        status: answer.status,
        headers: { "content-type": answer.headers.get("content-type") ?? "text/plain" },
      });
    await answer.body?.cancel();
    return unavailable();
  } catch {
    return unavailable();
  }
}

const sizeOf = (data: string | ArrayBuffer): number => (typeof data === "string" ? data.length : data.byteLength);

function relay(from: WebSocket, to: WebSocket, data: string | ArrayBuffer): void {
  if (to.readyState !== WebSocket.OPEN) return;
  if (to.bufferedAmount <= mostUnread) return to.send(data);
  for (const side of [to, from]) closeWith(side, 1000, "too much unread");
}

function closeWith(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.OPEN || socket.readyState === WebSocket.CONNECTING) socket.close(passable(code), reason);
}
