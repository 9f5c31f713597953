/* oxlint-disable no-restricted-globals -- a program for Deno */
/** For Deno: the gateway's WebSockets before a part that only listens. Prints its port; the argument is the idle time in seconds. */
import { readForwarded } from "../../supabase/local/gateway/forwarded.ts";
import { forwardWebSocket } from "../../supabase/local/gateway/websocket.ts";

const [seconds] = Deno.args;
const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
const behind = Deno.serve(options, (request) => Deno.upgradeWebSocket(request).response);
const gateway = Deno.serve(options, (request) =>
  forwardWebSocket(request, behind.addr.port, "/", readForwarded(request.headers, "127.0.0.1", null), Number(seconds)),
);
console.log(gateway.addr.port);
