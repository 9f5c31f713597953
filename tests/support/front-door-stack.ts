import { createHash, X509Certificate } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { startFrontDoor } from "./caddy.ts";
import { freePort, type RunningStack, startStack, toPrivate } from "./stack.ts";

export interface SentMail {
  to: string;
  subject: string;
  html: string;
  text: string;
  links: string[];
  headers: Record<string, string>;
}

export interface FrontDoorStack extends RunningStack {
  mails(): SentMail[];
  chromiumFlag: string;
}

export async function startBehindFrontDoor(): Promise<FrontDoorStack> {
  const [https, http, ask] = [await freePort(), await freePort(), await freePort()];
  const transport = await startMailTransport();
  const mail = {
    TIDINGS_MAIL_API_URL: transport.url,
    TIDINGS_MAIL_API_KEY: "mail-key",
    TIDINGS_MAIL_FROM: "Tidings <hello@tidings.example>",
  };
  const stack = await startStack({
    args: ["serve"],
    env: { TIDINGS_PUBLIC_URL: `https://localhost:${https}`, ...toPrivate, ...mail },
  });
  const door = await startFrontDoor({ supabaseUrl: stack.url, ports: { https, http, ask } });
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), door.authority]);
  return {
    ...stack,
    mails: transport.mails,
    chromiumFlag: `--ignore-certificate-errors-spki-list=${door.certificates.map(keyHash).join(",")}`,
    stop: async () => {
      await door.stop();
      await stack.stop();
      transport.stop();
    },
  };
}

const keyHash = (certificate: string): string =>
  createHash("sha256")
    .update(new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

async function startMailTransport(): Promise<{ url: string; mails(): SentMail[]; stop(): void }> {
  const mails: SentMail[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { from, headers = {}, ...mail } = JSON.parse(body) as Omit<SentMail, "links"> & { from: string };
      mails.unshift({ ...mail, headers: { From: from, ...headers }, links: mail.text.match(/https?:\/\/[^\s<>"]+/g) ?? [] });
      response.writeHead(200).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: () => mails,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
