import type { Transporter } from "nodemailer";
import { type OutgoingMail, smtpMail, type SmtpOptions, smtpOptions } from "#contract/mail-transports.ts";
import type { Handed } from "./handed.ts";

/** For all of a mail: a server that drips its answers is never silent. */
const longestMs = 30_000;
/** Connections at once; each is used for a hundred mails. */
const connections = 5;
/** So long a connection waits for one more mail. A function that sleeps would wake up with a dead one. */
const idleMs = 1_000;

/** What nodemailer throws; the fields are its own. */
interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  message?: string;
}

/** By SMTP. What was lost after the server may have had it goes out again under the same Message-ID. */
export async function bySmtp({ url }: { url: string }, mail: OutgoingMail): Promise<Handed> {
  const pool = await poolOf(url);
  pool.busy += 1;
  try {
    const signal = { signal: AbortSignal.timeout(longestMs) } as object; // newer than the types
    const { response } = await pool.transporter.sendMail({ ...smtpMail(mail), ...signal });
    const status = Number(/^\d{3}/.exec(response)?.[0]) || 250;
    // "250 2.0.0 Ok: queued as 4Y1c2d", "250 Ok 0100018f…": the last word is the server's name for it, if it has any digit.
    const remote = response.trim().split(/\s+/).at(-1) ?? "";
    return { outcome: "done", status, ...(/^(?=.*\d).{6,}$/.test(remote) && { remote }) };
  } catch (error) {
    return refusalOf(error as SmtpError);
  } finally {
    pool.busy -= 1;
    closeWhenIdle(url, pool);
  }
}

/** That nobody has this address, or it is closed: 5.1.x and 5.2.1 where the server says such codes (RFC 3463), else what it says in words. */
const noSuchMailbox = /\b5\.(?:1\.[0-36]|2\.1)\b/;
const enhanced = /\b5\.\d{1,3}\.\d{1,3}\b/;
/** Refusals of us, with the number that unknown addresses have, too. */
const ofTheSender = /relay|auth|spf|dkim|dmarc|spam|block|black ?list|reput|policy|denied|not allowed|not permitted|reject/i;
const mailboxFull = /\b5\.2\.2\b|quota|mailbox (?:is )?full/i;

/**
 * 4xx and silence: again. 5xx of the recipient or of the mail: refused for good. 5xx before that (who we are, who sends) is the operator's to
 * mend, and may be different then. Only what is said of the recipient alone counts as a bounce: a server that relays for nobody would
 * otherwise cost every reader at once.
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

/** What is tried again. */
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

/** As much as is used of node:net and node:tls, whose own types the check of hosted's Deno does not find. */
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
type GetSocket = (options: unknown, done: (error: Error | null, given?: never) => void) => void;

async function openPool(url: string): Promise<Pool> {
  // Only who sends by SMTP loads them.
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

/** Connections as the platform makes them: nodemailer's own way to a host of several addresses hangs in the Deno of hosted Supabase. */
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
    socket.on("error", end); // later ones are nodemailer's to hear
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
