import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { inject } from "vitest";

const stack = inject("stack");
export const mcpUrl = `${stack.url.replace("127.0.0.1", "localhost")}/api/mcp`;

export const modes: readonly VersionNegotiationMode[] = ["auto", "legacy", { pin: "2026-07-28" }];

export async function connect(secret: string, mode: VersionNegotiationMode = "auto"): Promise<Client> {
  const client = new Client({ name: "an assistant", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  return client;
}

export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown> | undefined;
  isError: boolean;
}

export async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { text, structured: structuredContent as Record<string, unknown> | undefined, isError };
}

let id = 0;
const revision = "2026-07-28";

export interface Sent {
  body?: unknown;
  headers?: Record<string, string | undefined>;
  secret?: string;
}

export async function post(secret: string | undefined, method: string, params: Record<string, unknown> = {}, wrong: Sent = {}) {
  const named = params["name"] as string | undefined;
  const body = {
    ...{ jsonrpc: "2.0", id: ++id, method },
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": { name: "by hand", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers: Record<string, string | undefined> = {
    ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...{ "mcp-protocol-version": revision, "mcp-method": method, "mcp-name": named },
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    ...wrong.headers,
  };
  const answer = await fetch(mcpUrl, {
    method: "POST",
    headers: Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: "body" in wrong ? (typeof wrong.body === "string" ? wrong.body : JSON.stringify(wrong.body)) : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) as Rpc };
}

export interface Rpc {
  result?: Record<string, unknown> & { content?: { text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean };
  error?: { code: number; message: string };
  code?: string;
  fields?: Record<string, string>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
