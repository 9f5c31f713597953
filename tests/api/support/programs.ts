import { inject } from "vitest";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { apiKeyEndpoints } from "#contract/api-keys.ts";
import { as, Client } from "./client.ts";
import type { Person } from "./people.ts";

const { url } = inject("stack");

/** A program with a key that the person makes: with every scope unless some are named. */
export async function newProgram(person: Person, workspaceId: string, scopes: readonly ApiKeyScope[] = apiKeyScopes): Promise<Client> {
  const made = await person.api.post(`/api/workspaces/${workspaceId}/keys`, { name: "CI", scopes });
  return new Client(url, as(apiKeyEndpoints.create, made).secret);
}
