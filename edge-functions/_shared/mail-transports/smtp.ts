import type { Transporter } from "nodemailer";
import { type OutgoingMail, smtpMail, type SmtpOptions, smtpOptions } from "#contract/mail-transports.ts";
import type { Handed } from "./send-result.ts";

/** Timeout of an email: a dripping server is never idle. */
const longestMs = 30_000;
/** Concurrency; each connection sends up to a hundred emails. */
const connections = 5;
/** Idle timeout: a suspended function would wake with dead connections. */
const idleMs = 1_000;

interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  message?: string;
}

/** At least once: after a lost connection the email is resent with the same Message-ID. */
export async function bySmtp({ url }: { url: string }, mail: OutgoingMail): Promise<Handed> {
  const pool = await poolOf(url);
  pool.busy += 1;
  try {
    const signal = { signal: AbortSignal.timeout(longestMs) } as object;
    const { response } = await pool.transporter.sendMail({ ...smtpMail(mail), ...signal });
    const status = Number(/^\d{3}/.exec(response)?.[0]) || 250;
    // The queue id is the last word of the response, if it has a digit.
    const remote = response.trim().split(/\s+/).at(-1) ?? "";
    return { outcome: "done", status, ...(/^(?=.*\d).{6,}$/.test(remote) && { remote }) };
  } catch (error) {
    return refusalOf(error as SmtpError);
  } finally {
    pool.busy -= 1;
    closeWhenIdle(url, pool);
  }
}

/** Unknown or closed mailbox: 5.1.x and 5.2.1 (RFC 3463), else by text. */
const noSuchMailbox = /\b5\.(?:1\.[0-36]|2\.1)\b/;
const enhanced = /\b5\.\d{1,3}\.\d{1,3}\b/;
/** Rejections of the sender that use the same codes. */
const ofTheSender = /relay|auth|spf|dkim|dmarc|spam|block|black ?list|reput|policy|denied|not allowed|not permitted|reject/i;
const mailboxFull = /\b5\.2\.2\b|quota|mailbox (?:is )?full/i;

/**
 * 4xx and timeouts: retry. 5xx about recipient or content: failed. Earlier 5xx (our host, the sender) are the operator's to fix: retry.
 * Only rejections of the recipient count as bounces, or a server that refuses to relay would bounce every reader.
 */
export function refusalOf({ code, command = "", response = "", responseCode: status, message = "" }: SmtpError): Handed {
  const error = response || `${code ?? "SMTP"}: ${message}`;
  if (status === undefined) return { outcome: "again", error };
  const ofMail = /^(?:RCPT TO|DATA)/.test(command);
  if (status < 500 || !ofMail) return { outcome: "again", status, error };
  if (mailboxFull.test(response)) return { outcome: "failed", status, error, bounce: "soft" };
  const isGone = enhanced.test(response) ? noSuchMailbox.test(response) : [550, 551, 553].includes(status) && !ofTheSender.test(response);
  return { outcome: "failed", status, error, ...(command.startsWith("RCPT TO") && isGone && { bounce: "hard" as const }) };
}

const outboxDecides = { maxRequeues: 0 } as object;

interface Pool {
  transporter: Transporter<{ response: string }>;
  busy: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

const pools = new Map<string, Promise<Pool>>();

function poolOf(url: string): Promise<Pool> {
  const pool = pools.get(url) ?? openPool(url);
  pools.set(url, pool);
  pool.catch(() => pools.delete(url));
  return pool;
}

/** Used subset of node:net and node:tls, whose types hosted's Deno check doesn't find. */
interface Socket {
  once(event: string, heard: () => void): void;
  on(event: "error", heard: (error: Error) => void): void;
  destroy(): void;
}
interface Net {
  connect(to: { host: string; port: number }): Socket;
  isIP(host: string): number;
}
interface Tls {
  connect(to: { host: string; port: number; servername?: string }): Socket;
}
type GetSocket = (options: unknown, done: (error: Error | null, socket?: never) => void) => void;

async function openPool(url: string): Promise<Pool> {
  const [{ createTransport }, net, tls] = await Promise.all([
    import("nodemailer"),
    import("node:net" as string) as Promise<Net>,
    import("node:tls" as string) as Promise<Tls>,
  ]);
  const options = smtpOptions(url);
  const getSocket = socketsFor(options, net, tls);
  const transporter = createTransport({ ...options, getSocket, pool: true, maxConnections: connections, ...outboxDecides });
  return { transporter: transporter as unknown as Pool["transporter"], busy: 0, idle: undefined };
}

/** Own sockets: nodemailer's connect hangs on multi-address hosts in hosted's Deno */
function socketsFor({ host, port, secure, connectionTimeout }: SmtpOptions, net: Net, tls: Tls): GetSocket {
  return (_, done) => {
    const socket = secure ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) }) : net.connect({ host, port });
    let isOver = false;
    const end = (error: Error | null): void => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      if (error !== null) socket.destroy();
      done(error, { connection: socket, secured: secure } as never);
    };
    const timer = setTimeout(() => end(new Error("no connection in time")), connectionTimeout);
    socket.once(secure ? "secureConnect" : "connect", () => end(null));
    socket.once("close", () => end(new Error("the connection was closed at once")));
    socket.on("error", end);
  };
}

function closeWhenIdle(url: string, pool: Pool): void {
  clearTimeout(pool.idle);
  if (pool.busy > 0) return;
  pool.idle = setTimeout(() => {
    if (pool.busy > 0) return;
    pools.delete(url);
    pool.transporter.close();
  }, idleMs);
}
