import { sendRequest } from "../../_shared/outbound/send-request.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";
import { AppError } from "../../_shared/errors.ts";
import { ClientRefused, documentAddress, documentMaxBytes, type OAuthClient, readDocument } from "./client-document.ts";

const timeoutMs = 5_000;
const keptMs = 60_000;
const mostKept = 200;
const atOnce = 2;

/** Fetches client metadata from attacker-controlled URLs: no private networks, no redirects, 5 kB, 5 seconds. */
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
    const cached = this.#kept.get(id);
    if (cached !== undefined && cached.until > Date.now()) return cached.client;
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
    const request = { method: "GET", url, headers } as const;
    const response = await sendRequest(this.#network, request, {
      toPrivate: this.#toPrivate,
      timeoutMs,
      maxBytes: documentMaxBytes,
    }).catch(unreachable(url));
    if (response.status !== 200)
      throw new ClientRefused("unreachable", `Its URL responded with ${response.status} instead of 200; redirects aren't followed`);
    // Requires a JSON content type, so uploads on a third-party host can't serve as documents.
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? ""))
      throw new ClientRefused("document", "The document's content type isn't application/json");
    return new TextDecoder().decode(response.body);
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

const unreachable =
  ({ host }: URL) =>
  (error: unknown): never => {
    if (!(error instanceof Unreachable)) throw error;
    throw new ClientRefused("unreachable", `Couldn't fetch the assistant's metadata from ${host}: ${error.message}`);
  };
