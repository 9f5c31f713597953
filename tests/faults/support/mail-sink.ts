import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Handed {
  to: string;
  key: string;
  messageId: string;
}

export interface MailSink {
  url: string;
  mails: Handed[];
  stop(): void;
}

export type Fate = { status: number; headers?: Record<string, string> } | "lost" | null;

export async function startMailSink(delayMs = 0, fate: (mail: Handed) => Fate = () => ({ status: 200 })): Promise<MailSink> {
  const mails: Handed[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { to, headers = {} } = JSON.parse(body) as { to: string; headers?: Record<string, string> };
      const mail = { to, key: String(request.headers["idempotency-key"]), messageId: headers["Message-ID"] ?? "" };
      mails.push(mail);
      const answer = fate(mail);
      if (answer === "lost") request.socket.write("HTTP/1.1 2", () => request.socket.destroy()); // fetch would retry a response without a first byte
      else if (answer !== null) setTimeout(() => response.writeHead(answer.status, answer.headers ?? {}).end("{}"), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
