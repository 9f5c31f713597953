import net from "node:net";

export interface BreakableProxy {
  url: string;
  restart(pauseMs: number): Promise<void>;
  inject(bytes: Uint8Array): void;
  close(): void;
}

export async function startProxy(port: number): Promise<BreakableProxy> {
  const sockets = new Set<net.Socket>();
  const webSockets = new Set<net.Socket>();
  let closed = false;
  const server = net.createServer((client) => {
    if (closed) return client.destroy();
    const behind = net.connect(port, "127.0.0.1");
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          client.destroy();
          behind.destroy();
        });
    }
    behind.once("data", (answer: Buffer) => answer.toString("latin1", 0, 12) === "HTTP/1.1 101" && webSockets.add(client));
    client.once("close", () => webSockets.delete(client));
    client.pipe(behind).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    restart: async (pauseMs) => {
      closed = true;
      cut();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      closed = false;
    },
    inject: (bytes) => webSockets.forEach((client) => client.write(bytes)),
    close: () => {
      cut();
      server.close();
    },
  };
}
