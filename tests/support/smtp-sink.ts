import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface SunkMail {
  from: string;
  to: string[];
  raw: string;
  mail: Email;
  header(name: string): string | undefined;
  encrypted: boolean;
  user: string | undefined;
}

export type SmtpFate = { code: number; says: string; at?: "rcpt" | "data" } | "drop" | "silence" | null;

export interface SmtpSink {
  port: number;
  mails: SunkMail[];
  asked: string[];
  stop(): Promise<void>;
}

export async function startSmtpSink(
  fate: (to: string, times: number) => SmtpFate = () => null,
  options: SMTPServerOptions = {},
): Promise<SmtpSink> {
  const mails: SunkMail[] = [];
  const asked: string[] = [];
  const refusal = ({ code, says }: { code: number; says: string }) => Object.assign(new Error(says), { responseCode: code });
  const times = (to: string) => asked.filter((other) => other === to).length;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onAuth: ({ username }, _, done) => done(null, { user: username ?? "" }),
    onRcptTo({ address }, _, done) {
      asked.push(address);
      const what = fate(address, times(address));
      done(what !== null && typeof what === "object" && what.at !== "data" ? refusal(what) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : "";
        const take = async () => {
          const mail = await new PostalMime().parse(raw);
          const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
          mails.push({ from, to, raw, mail, header, encrypted: session.secure, user: session.user });
          const what = fate(to[0]!, times(to[0]!));
          if (what === "silence") return;
          if (what === "drop") {
            const connections = [...(server.connections as unknown as Set<{ id: string; _socket: Socket }>)];
            connections.find(({ id }) => id === session.id)!._socket.destroy();
          } else done(what !== null && what.at === "data" ? refusal(what) : null);
        };
        void take();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    asked,
    stop: () =>
      new Promise((resolve) => {
        for (const { _socket } of server.connections as unknown as Set<{ _socket: Socket }>) _socket.destroy();
        server.close(() => resolve());
      }),
  };
}
