const connectTimeoutMs = 10_000;
/** The side that leaves more bytes unread loses the connection. */
const mostUnread = 4_194_304;

/** A WebSocket that is open; null where it is refused or takes too long. */
export function openSocket(address: string): Promise<WebSocket | null> {
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  return new Promise((resolve) => {
    const fail = () => (socket.close(), resolve(null));
    const timer = setTimeout(fail, connectTimeoutMs);
    socket.onopen = () => (clearTimeout(timer), resolve(socket));
    socket.onerror = socket.onclose = () => (clearTimeout(timer), resolve(null));
  });
}

/** Hands on each side's messages and its end to the other. `behind` is open. */
export function joinSockets(client: WebSocket, behind: WebSocket): void {
  client.binaryType = "arraybuffer";
  for (const [from, to] of [[client, behind] as const, [behind, client] as const]) {
    from.onmessage = ({ data }) => {
      if (to.readyState !== WebSocket.OPEN) return;
      if (to.bufferedAmount > mostUnread) for (const side of [client, behind]) close(side, 1000, "too much unread");
      else to.send(data as string | ArrayBuffer);
    };
    from.onclose = ({ code, reason }) => close(to, code, reason);
    from.onerror = () => {}; // a close event follows
  }
}

/** Codes other than these may not be sent by hand. */
const passable = (code: number): number => (code === 1000 || (code >= 3000 && code <= 4999) ? code : 1000);

function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState <= WebSocket.OPEN) socket.close(passable(code), reason);
}
