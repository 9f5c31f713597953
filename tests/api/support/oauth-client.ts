import { createHash, randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Assistant, type AssistantScope, assistantScopes } from "#contract/oauth.ts";
import { startReceiver } from "../../support/webhook-receiver.ts";
import { type Answer, Client } from "./client.ts";
import type { Person } from "./people.ts";

export interface Asking {
  request: string;
  verifier: string;
}

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export interface TestAssistant {
  id: string;
  redirectUri: string;
  document: Record<string, unknown>;
  post(
    path: "/api/oauth/token" | "/api/oauth/revoke",
    form: Record<string, string> | string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  asks(more?: Record<string, string | null>): Asking;
  isAllowed(person: Person, workspaceId: string, asking: Asking, scopes?: readonly AssistantScope[]): Promise<string>;
  exchange(code: string, asking: Asking, more?: Record<string, string>): Promise<Response>;
  refresh(token: string, more?: Record<string, string>): Promise<Response>;
  connect(person: Person, workspaceId: string, scopes?: readonly AssistantScope[]): Promise<Tokens & { assistant: Assistant }>;
  stop(): void;
}

export async function startAssistant(name = "Helper", url: string = inject("stack").url): Promise<TestAssistant> {
  const document: Record<string, unknown> = {};
  const server = await startReceiver(({ path }) =>
    path === "/assistant.json"
      ? { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(document) }
      : { status: 404 },
  );
  const id = `${server.url}/assistant.json`;
  const redirectUri = "http://127.0.0.1:33418/callback";
  Object.assign(document, { client_id: id, client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" });

  const assistant: TestAssistant = {
    id,
    redirectUri,
    document,
    post: (path, form, headers = {}) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
      }),
    asks(more = {}) {
      const verifier = randomBytes(32).toString("base64url");
      const asked: Record<string, string | null> = {
        response_type: "code",
        client_id: id,
        redirect_uri: redirectUri,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        scope: assistantScopes.join(" "),
        state: "as it came",
        resource: `${inject("stack").publicUrl}/api/mcp`,
        ...more,
      };
      const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== null);
      return { request: new URLSearchParams(given).toString(), verifier };
    },
    async isAllowed(person, workspaceId, { request }, scopes = assistantScopes) {
      const body = { request, workspace_id: workspaceId, scopes };
      const answer: Answer<{ location: string }> = await new Client(url, person.token).post("/api/oauth/approve", body);
      if (answer.status !== 200) throw new Error(`not allowed: ${JSON.stringify(answer.body)}`);
      return answer.body.location;
    },
    exchange: (code, { verifier }, more = {}) =>
      assistant.post("/api/oauth/token", {
        ...{ grant_type: "authorization_code", code, code_verifier: verifier, client_id: id, redirect_uri: redirectUri },
        ...more,
      }),
    refresh: (token, more = {}) =>
      assistant.post("/api/oauth/token", { grant_type: "refresh_token", refresh_token: token, client_id: id, ...more }),
    async connect(person, workspaceId, scopes = assistantScopes) {
      const asking = assistant.asks();
      const code = codeIn(await assistant.isAllowed(person, workspaceId, asking, scopes));
      const answer = await assistant.exchange(code, asking);
      if (answer.status !== 200) throw new Error(`no tokens: ${await answer.text()}`);
      const tokens = (await answer.json()) as Tokens;
      const listed = await new Client(url, person.token).get<{ assistants: Assistant[] }>(`/api/workspaces/${workspaceId}/assistants`);
      return { ...tokens, assistant: listed.body.assistants.find(({ client_id }) => client_id === id)! };
    },
    stop: () => server.stop(),
  };
  return assistant;
}

export const codeIn = (location: string): string => new URL(location).searchParams.get("code") ?? "";
