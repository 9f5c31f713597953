import net from "node:net";

export interface BreakableProxy {
  url: string;
  /** Cuts every connection and refuses new ones for a while, as a service that restarts does. */
  restart(pauseMs: number): Promise<void>;
  close(): void;
}

/** A way to a local port that can be cut. */
export async function startProxy(port: number): Promise<BreakableProxy> {
  const sockets = new Set<net.Socket>();
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
    close: () => {
      cut();
      server.close();
    },
  };
}
