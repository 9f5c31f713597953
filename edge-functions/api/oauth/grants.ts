import type { KeyCalls } from "../../_shared/key-calls.ts";
import { type AssistantSecrets, hashOf } from "./secrets.ts";

export interface Granted {
  scopes: string[];
  seconds: number;
}

type StoredHashes = AssistantSecrets["kept"];

export class Grants {
  readonly #keys: KeyCalls;

  constructor(keys: KeyCalls) {
    this.#keys = keys;
  }

  async ofCode(
    authorization: { code: string; clientId: string; redirectUri: string; challenge: string },
    secret: StoredHashes,
    network: string | null,
  ): Promise<Granted | null> {
    const hash = await hashOf(authorization.code);
    const { clientId, redirectUri, challenge } = authorization;
    const [granted] = await this.#keys.ask<Granted>(
      (
        sql,
      ) => sql`select to_json(scopes) as scopes, seconds from private.connect_assistant(decode(${hash}, 'hex'), ${clientId}, ${redirectUri}, ${challenge},
        ${JSON.stringify(secret)}::text::jsonb, ${network})`,
    );
    return granted ?? null;
  }

  async ofRefresh(refresh: string, clientId: string, secret: StoredHashes, network: string | null): Promise<Granted | null> {
    const hash = await hashOf(refresh);
    const [granted] = await this.#keys.ask<Granted>(
      (sql) => sql`select to_json(scopes) as scopes, seconds from private.refresh_assistant(decode(${hash}, 'hex'), ${clientId},
        ${JSON.stringify(secret)}::text::jsonb, ${network})`,
    );
    return granted ?? null;
  }

  async end(secret: string, clientId: string, network: string | null): Promise<void> {
    const hash = await hashOf(secret);
    await this.#keys.ask((sql) => sql`select private.disconnect_assistant(decode(${hash}, 'hex'), ${clientId}, ${network})`);
  }
}
