import { Client, type ElicitResult, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { mcpUrl, post, type Rpc } from "./assistants.ts";

export interface Asking {
  client: Client;
  questions: string[];
}

export async function connectAsking(
  secret: string,
  answer: ElicitResult | (() => Promise<ElicitResult>),
  mode: VersionNegotiationMode = "auto",
): Promise<Asking> {
  const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } };
  const client = new Client({ name: "an assistant with a person", version: "1.0.0" }, options);
  const questions: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    questions.push(params.message);
    return typeof answer === "function" ? await answer() : answer;
  });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  return { client, questions };
}

export const yes: ElicitResult = { action: "accept", content: { confirm: true } };

export async function callAsking(
  secret: string,
  name: string,
  args: Record<string, unknown>,
  given: { inputResponses?: unknown; requestState?: unknown } = {},
): Promise<Rpc & { result?: { resultType?: string; requestState?: string; inputRequests?: Record<string, unknown> } }> {
  const params = {
    ...{ name, arguments: args, ...given },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "by hand", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    },
  };
  const { body } = await post(secret, "tools/call", { name }, { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
  return body as never;
}

export const answered = { answer: yes };
