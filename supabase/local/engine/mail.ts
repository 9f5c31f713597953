import fs from "node:fs";
import path from "node:path";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  headers: Record<string, string>;
  sent_at: string;
}

/** Emails of lite and of the functions (edge-functions/_shared/mail.ts). */
export interface Message {
  to: string;
  subject: string;
  text?: string;
  html?: string;
  from?: string;
  reply_to?: string;
  headers?: Record<string, string>;
}

const maxMails = 500;
/** Account emails come without headers; this prevents out-of-office replies. */
const accountHeaders = { "Auto-Submitted": "auto-generated" };

/** Sends an email; `key` is the same for each retry. Rejects on failure. */
export type Deliver = (message: Message & { text: string; html: string }, key?: string) => Promise<void>;

export class MailBox {
  readonly #file: string;
  readonly #deliver: Deliver | null;
  #mails: Mail[];
  #lines = 0;

  constructor(dataDir: string, deliver: Deliver | null = null) {
    this.#deliver = deliver;
    const folder = path.join(dataDir, "mail");
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = path.join(folder, "caught.jsonl");
    const lines = (fs.existsSync(this.#file) ? fs.readFileSync(this.#file, "utf8") : "").split("\n");
    this.#mails = lines.flatMap(parse).slice(-maxMails);
    this.#lines = this.#mails.length;
    if (lines.at(-1) === "" && this.#lines === lines.length - 1) return;
    try {
      this.#rewrite();
    } catch (error) {
      console.error("caught emails:", error); // a full disk must not stop the start
    }
  }

  async send({ to, subject, text, html, from, reply_to, headers: ownHeaders }: Message, key?: string): Promise<void> {
    const body = html ?? "";
    // lite's own text leads to a link that a scanner's GET would spend; ours has headers
    const plain = body === "" || ownHeaders ? (text ?? "") : toText(body);
    const headers = ownHeaders ?? accountHeaders;
    const more = { ...(from && { from }), ...(reply_to && { reply_to }), headers };
    if (this.#deliver) return await this.#deliver({ to, subject, text: plain, html: body, ...more }, key);
    const written = { ...(from && { From: from }), ...(reply_to && { "Reply-To": reply_to }), ...headers };
    const sent_at = new Date().toISOString();
    const mail: Mail = { to, subject, text: plain, html: body, links: linksIn(plain), headers: written, sent_at };
    this.#mails = [...this.#mails, mail].slice(-maxMails);
    if (this.#lines >= 2 * maxMails) return this.#rewrite();
    fs.appendFileSync(this.#file, `${JSON.stringify(mail)}\n`, { mode: 0o600 });
    this.#lines += 1;
  }

  #rewrite(): void {
    const part = `${this.#file}.part`;
    fs.writeFileSync(part, "", { mode: 0o600 });
    for (const mail of this.#mails) fs.appendFileSync(part, `${JSON.stringify(mail)}\n`);
    fs.renameSync(part, this.#file);
    this.#lines = this.#mails.length;
  }

  newestFirst(): Mail[] {
    return this.#mails.toReversed();
  }
}

function parse(line: string): Mail[] {
  try {
    return [JSON.parse(line) as Mail];
  } catch {
    return []; // empty, or cut off by a kill
  }
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

const decode = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "");

/** HTML as plain text: blank lines between paragraphs, URLs after link texts. */
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
