import { expect, onTestFinished, test, vi } from "vitest";

const module = "server"; // not read by tsc, which knows nothing of Deno
const { Realtime } = (await import(`../realtime/${module}.ts`)) as {
  Realtime: new (
    sql: object,
    keys: object,
    listensOn: string,
  ) => { start(): Promise<void>; fetch(request: Request, address: string): Response | Promise<Response> | null };
};

const keys = { publishableKey: "sb_publishable_key", jwtSecret: "secret" };

/** Realtime, and what a client at an address is answered that asks for a connection; how its connections end. */
async function realtime() {
  const sockets: { onclose?: () => void }[] = [];
  vi.stubGlobal("Deno", {
    upgradeWebSocket() {
      const socket = {};
      sockets.push(socket);
      return { socket, response: { status: 101 } };
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const made = new Realtime({ listen: async () => {} }, keys, "127.0.0.1");
  await made.start();
  const headers = { upgrade: "websocket", apikey: "sb_publishable_key" };
  const connect = async (address: string) =>
    (await made.fetch(new Request("http://localhost/realtime/v1/websocket", { headers }), address))!.status;
  return { connect, sockets };
}

test("a hundred connections are one network's, however many addresses of IPv6 it has; this machine has more", async () => {
  const { connect, sockets } = await realtime();
  for (let at = 0; at < 100; at++) expect(await connect(`2001:db8::${at.toString(16)}`)).toBe(101);
  expect([await connect("2001:db8::ffff"), await connect("2001:db8:0:1::1")]).toEqual([429, 101]);
  for (let at = 0; at < 101; at++) expect(await connect("::1")).toBe(101);
  sockets[0]!.onclose!();
  expect([await connect("2001:db8::ffff"), await connect("2001:db8::fffe")]).toEqual([101, 429]);
});
