import net from "node:net";
import type { Line, Network } from "../../edge-functions/_shared/outbound/network.ts";

function lineOf(socket: net.Socket): Line {
  const pieces: Buffer[] = [];
  let [ended, fault] = [false, null as Error | null];
  let wake = () => {};
  socket.on("data", (piece: Buffer) => (pieces.push(piece), wake()));
  socket.on("end", () => ((ended = true), wake()));
  socket.on("close", () => ((ended = true), wake()));
  socket.on("error", (error) => ((fault = error), wake()));
  return {
    async read(into) {
      while (pieces.length === 0 && !ended && fault === null) await new Promise<void>((resolve) => (wake = resolve));
      const piece = pieces.shift();
      if (piece === undefined) {
        if (fault !== null) throw fault;
        return null;
      }
      into.set(piece.subarray(0, into.length));
      if (piece.length > into.length) pieces.unshift(piece.subarray(into.length));
      return Math.min(piece.length, into.length);
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        // Small chunks, as from a real socket.
        const part = bytes.subarray(0, 1_000);
        socket.write(part, (error) => (error ? reject(error) : resolve(part.length)));
      }),
    close: () => socket.destroy(),
  };
}

export interface Traces {
  asked: string[];
  connected: string[];
}

export const nodeNetwork = (names: Record<string, string[][]>, { asked, connected }: Traces, tls?: { port: number }): Network => ({
  resolve(name, kind) {
    asked.push(`${kind} ${name}`);
    const answers = names[`${kind} ${name}`] ?? [];
    return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? []);
  },
  connect: (hostname, port) =>
    new Promise((resolve, reject) => {
      connected.push(hostname);
      const socket = net.connect(tls?.port ?? port, "127.0.0.1");
      socket.once("connect", () => resolve(lineOf(socket)));
      socket.once("error", reject);
    }),
  secure: (line) => (tls === undefined ? Promise.reject(new Error("no TLS here")) : Promise.resolve(line)),
});
