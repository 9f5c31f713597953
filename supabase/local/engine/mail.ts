import fs from "node:fs";
import path from "node:path";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Every address a person could click, in order. */
  links: string[];
  /** All but To and Subject. */
  headers: Record<string, string>;
  sent_at: string;
}

/** What lite and the functions send (edge-functions/_shared/mail.ts). */
export interface Message {
  to: string;
  subject: string;
  text?: string;
  html?: string;
  from?: string;
  reply_to?: string;
  headers?: Record<string, string>;
}

const kept = 500;
/** Of mails to accounts, which come without headers: out-of-office notices don't answer them. */
const accountHeaders = { "Auto-Submitted": "auto-generated" };

/** Hands a mail to a transport, under a key that is the same for each try; rejects when it was not taken. */
export type Deliver = (message: Message & { text: string; html: string }, key?: string) => Promise<void>;

/** Catches every mail that it is given no way to deliver; what it caught survives a restart as JSON lines in {DATA_DIR}/mail. */
export class MailBox {
  readonly #file: string;
  readonly #deliver: Deliver | null;
  #mails: Mail[];

  constructor(dataDir: string, deliver: Deliver | null = null) {
    this.#deliver = deliver;
    const folder = path.join(dataDir, "mail");
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = path.join(folder, "caught.jsonl");
    this.#mails = readLines(this.#file).slice(-kept);
  }

  /** The driver's one method, as lite calls it. */
  async send({ to, subject, text, html, from, reply_to, headers: given }: Message, key?: string): Promise<void> {
    const body = html ?? "";
    // lite's own text leads to a link that a scanner's GET would spend; ours has headers
    const plain = body === "" || given ? (text ?? "") : toText(body);
    const headers = given ?? accountHeaders;
    const more = { ...(from && { from }), ...(reply_to && { reply_to }), headers };
    if (this.#deliver) return await this.#deliver({ to, subject, text: plain, html: body, ...more }, key);
    const written = { ...(from && { From: from }), ...(reply_to && { "Reply-To": reply_to }), ...headers };
    const sent_at = new Date().toISOString();
    const mail: Mail = { to, subject, text: plain, html: body, links: linksIn(plain), headers: written, sent_at };
    this.#mails = [...this.#mails, mail].slice(-kept);
    fs.appendFileSync(this.#file, `${JSON.stringify(mail)}\n`, { mode: 0o600 });
  }

  newestFirst(): Mail[] {
    return this.#mails.toReversed();
  }
}

function readLines(file: string): Mail[] {
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Mail];
      } catch {
        return []; // empty, or cut off by a kill
      }
    });
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

const decode = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "");

/** The plain text of an HTML mail: paragraphs stand apart, links stand behind their words. */
export function toText(html: string): string {
  const text = html
    .replace(/<(style|head|title)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/\s+/g, " ")
    .replace(/<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a\s*>/gi, (_, href: string, words: string) =>
      words.trim() === href ? href : `${words.trim()}: ${href}`,
    )
    .replace(/<\/(p|h\d|table)\s*>/gi, "\n\n")
    .replace(/<br\s*\/?>|<\/(div|tr|li)\s*>/gi, "\n")
    .replace(/<[^>]+>/g, "");
  return decode(text)
    .replace(/ *\n */g, "\n")
    .replace(/ {2,}/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const linksIn = (text: string): string[] => [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])];
