import { converse } from "../../_shared/outbound/converse.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";
import { AppError } from "../../_shared/errors.ts";
import { ClientRefused, documentAddress, documentMaxBytes, type OAuthClient, readDocument } from "./client-document.ts";

/** So long a document is waited for. */
const patienceMs = 5_000;
/** So long what it says is taken as it was: whoever allows what he has just read gets no second wait. */
const keptMs = 60_000;
const mostKept = 200;
/** So many documents one person waits for at once. */
const atOnce = 2;

/**
 * Asks assistants' documents, at addresses that strangers choose: no private network, nothing followed elsewhere, five kilobytes, five seconds. One
 * that is slow keeps nobody but the person who asks for it.
 */
export class ClientDocuments {
  readonly #network: Network;
  readonly #toPrivate: boolean;
  readonly #kept = new Map<string, { client: OAuthClient; until: number }>();
  readonly #waiting = new Map<string, number>();

  constructor(network: Network, toPrivate: boolean) {
    this.#network = network;
    this.#toPrivate = toPrivate;
  }

  async find(id: string, person: string): Promise<OAuthClient> {
    const url = documentAddress(id, this.#toPrivate);
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.until > Date.now()) return kept.client;
    const waiting = this.#waiting.get(person) ?? 0;
    if (waiting >= atOnce) throw new AppError("rate_limited", { retryAfter: 1 });
    this.#waiting.set(person, waiting + 1);
    try {
      const client = readDocument(id, url.host, await this.#fetch(url));
      this.#keep(id, client);
      return client;
    } finally {
      const left = (this.#waiting.get(person) ?? 1) - 1;
      if (left > 0) this.#waiting.set(person, left);
      else this.#waiting.delete(person);
    }
  }

  async #fetch(url: URL): Promise<string> {
    const headers = { accept: "application/json", "user-agent": "Tidings-Assistants/1" };
    const conditions = { toPrivate: this.#toPrivate, patienceMs, maxBytes: documentMaxBytes };
    const {
      status,
      headers: said,
      body,
    } = await converse(this.#network, { method: "GET", url, headers }, conditions).catch(unreachable(url));
    if (status !== 200)
      throw new ClientRefused("unreachable", `Its address answers ${status}, not 200; what leads elsewhere is not followed`);
    // What somebody has put on another's host as a text or a picture is nobody's document.
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(said.get("content-type") ?? ""))
      throw new ClientRefused("document", "The document is not sent as application/json");
    return new TextDecoder().decode(body);
  }

  #keep(id: string, client: OAuthClient): void {
    this.#kept.delete(id);
    this.#kept.set(id, { client, until: Date.now() + keptMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
  }
}

/** Why is told by whoever noticed, the network's own words among them; what it is about, here. */
const unreachable =
  ({ host }: URL) =>
  (error: unknown): never => {
    if (!(error instanceof Unreachable)) throw error;
    throw new ClientRefused("unreachable", `What this assistant says of itself could not be fetched from ${host}: ${error.message}`);
  };
