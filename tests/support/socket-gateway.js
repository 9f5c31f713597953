/* oxlint-disable no-restricted-globals -- a program for Deno */
/**
 * For Deno: the gateway's WebSockets before a server that sends as many megabytes as requested and answers how many sockets are open. Prints both
 * ports; the arguments are the idle timeout in seconds and the maximum message length.
 */
import { readForwarded } from "../../supabase/local/gateway/forwarded.ts";
import { forwardWebSocket } from "../../supabase/local/gateway/websocket.ts";

const [idleTimeout, longestMessage] = Deno.args.map(Number);
const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
let open = 0;
const behind = Deno.serve(options, (request) => {
  if (!request.headers.has("upgrade")) return new Response(String(open));
  const { socket, response } = Deno.upgradeWebSocket(request);
  open += 1;
  socket.onclose = () => (open -= 1);
  socket.onmessage = ({ data }) => {
    for (let sent = 0; sent < Number(data); sent++) socket.send("x".repeat(1_000_000));
  };
  return response;
});
const gateway = Deno.serve(options, (request) =>
  forwardWebSocket(
    request,
    behind.addr.port,
    "/",
    readForwarded(request.headers, "127.0.0.1", () => false),
    { idleTimeout, longestMessage },
  ),
);
console.log(gateway.addr.port, behind.addr.port);
