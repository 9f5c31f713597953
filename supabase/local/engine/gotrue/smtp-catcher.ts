import type { MailBox } from "../mail.ts";
import { readMessage } from "./mail-message.ts";

/** Minimal SMTP server (RFC 5321) that puts GoTrue's emails into the mailbox. */
export class SmtpCatcher {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #mail: MailBox;

  constructor(mail: MailBox) {
    this.#mail = mail;
    void this.#accept();
  }

  get port(): number {
    return (this.#listener.addr as Deno.NetAddr).port;
  }

  close(): void {
    this.#listener.close();
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.#serve(connection).catch((error: unknown) => console.error("smtp:", error));
    }
  }

  async #serve(connection: Deno.Conn): Promise<void> {
    const writer = connection.writable.getWriter();
    const say = (line: string) => writer.write(new TextEncoder().encode(`${line}\r\n`));
    await say("220 email catcher");
    for await (const { command, data } of conversation(connection.readable)) {
      if (data !== null) {
        await say(await this.#take(data));
      } else if (command === "DATA") await say("354 go on");
      else if (command === "QUIT") {
        await say("221 bye");
        break;
      } else await say("250 ok");
    }
    await writer.close().catch(() => {}); // the client may have disconnected
  }

  /** The reply to a message; a failed delivery is rejected so that the sign-up fails. */
  async #take(data: string): Promise<string> {
    try {
      await this.#mail.send(readMessage(data));
      return "250 taken";
    } catch (error) {
      console.error("email of the auth service:", error);
      return "451 not sent";
    }
  }
}

interface Turn {
  command: string;
  data: string | null;
}

/** Client commands and messages as Latin-1; the message declares its own charset. */
async function* conversation(readable: ReadableStream<Uint8Array>): AsyncGenerator<Turn> {
  let waiting = "";
  let inMessage = false;
  for await (const chunk of readable) {
    waiting += Buffer.from(chunk).toString("latin1");
    for (;;) {
      const end = inMessage ? "\r\n.\r\n" : "\r\n";
      const at = waiting.indexOf(end);
      if (at < 0) break;
      const said = waiting.slice(0, at);
      waiting = waiting.slice(at + end.length);
      const command: string = inMessage ? "" : said.slice(0, 4).toUpperCase();
      yield { command, data: inMessage ? said.replace(/(^|\r\n)\.\./g, "$1.") : null };
      inMessage = command === "DATA";
    }
  }
}
