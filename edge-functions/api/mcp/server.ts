import { createMcpHandler, McpServer, type McpRequestContext } from "@modelcontextprotocol/server";
import { smallJsonBodyMaxBytes } from "#contract/body-limits.ts";
import { markdownMaxLength } from "#contract/blocks/limits.ts";
import { describedTools } from "#contract/mcp/described.ts";
import type { Bytes } from "../../_shared/base64.ts";
import { readJson } from "../../_shared/body.ts";
import { AppError } from "../../_shared/errors.ts";
import { describeFault, type Log } from "../../_shared/log.ts";
import { RawResponse } from "../../_shared/reply.ts";
import { callTool } from "./call-tool.ts";
import type { Message } from "./message.ts";
import { instructions } from "./instructions.ts";
import { Questions } from "./questions.ts";

const list = describedTools();
const fiveMinutes = { ttlMs: 300_000, cacheScope: "public" } as const;

/** Stateless: each message is handled on its own, in any protocol revision. The library validates headers against the body. */
export async function answerAssistant(message: Message, write: Log): Promise<RawResponse> {
  const { request, key, requestId, raw } = message;
  const fault = (thrown: unknown) => write({ event: "fault", id: requestId, fault: describeFault(thrown) });
  const body = bodyOf(request, raw);
  if (body instanceof RawResponse) return body;
  let last: Error | undefined;
  const handler = createMcpHandler((context) => serverFor(message, context, fault), {
    onerror: (error) => (last = error),
    keepAliveMs: 0,
  });
  const response = await handler.fetch(request, { parsedBody: body, authInfo: { token: "", clientId: key.id, scopes: [...key.scopes] } });
  const text = await response.text();
  if (response.status >= 500) fault(last);
  return new RawResponse(response.status, response.headers.get("content-type"), text);
}

function serverFor(message: Message, { era }: McpRequestContext, fault: (thrown: unknown) => void): McpServer {
  const questions = new Questions(message.env, message.key.id);
  const product = new McpServer(
    { name: "tidings", title: "Tidings", version: "1.0.0", websiteUrl: message.env.publicUrl },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": fiveMinutes, "server/discover": fiveMinutes },
      requestState: { verify: questions.verify },
      inputRequired: { legacyShim: false },
      jsonSchemaValidator: nothingToValidate,
    },
  );
  product.server.setRequestHandler("tools/list", () => ({ tools: list }));
  product.server.setRequestHandler("tools/call", (request, context) =>
    callTool(message, request.params, { isModern: era === "modern", context, questions, fault }),
  );
  return product;
}

const nothingToValidate = {
  getValidator: () => {
    throw new Error("nothing here is checked by JSON Schema");
  },
};

function bodyOf(request: Request, raw: Bytes): unknown {
  let body: unknown;
  try {
    body = readJson(request, raw, {});
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_json") return refused(400, null, -32_700, "Parse error: invalid JSON");
    throw error;
  }
  if (typeof body !== "object" || body === null) return refused(400, null, -32_600, "Invalid request: send one JSON-RPC message");
  // One message per call, so the rate limit holds; batches were removed from the protocol in 2025.
  if (Array.isArray(body)) return refused(400, null, -32_600, "Invalid request: batches aren't supported");
  if (isTooLong(body, raw.length)) throw new AppError("body_too_large");
  // Nothing changes server-side, so a subscription would stay open for nothing.
  const { id, method } = body as { id?: unknown; method?: unknown };
  if (method === "subscriptions/listen") return refused(404, id, -32_601, "Method not found: subscriptions aren't supported");
  return body;
}

/** Limit of names, which the library compares and echoes. */
const nameMaxLength = 200;
/** Markdown in JSON: at most six bytes per character (\\u0000). */
const textMaxBytes = 6 * markdownMaxLength + smallJsonBodyMaxBytes;

/** Only uploads can use the full body limit. */
function isTooLong(body: object, length: number): boolean {
  if (length <= smallJsonBodyMaxBytes) return false;
  const { method, params } = body as {
    method?: unknown;
    params?: { name?: unknown; uri?: unknown; arguments?: { data?: unknown } } | null;
  };
  const isLong = (name: unknown) => typeof name === "string" && name.length > nameMaxLength;
  if (isLong(method) || isLong(params?.name) || isLong(params?.uri)) return true;
  const image = params?.name === "upload_image" ? params.arguments?.data : undefined;
  const [rest, most] = typeof image === "string" ? [length - image.length, smallJsonBodyMaxBytes] : [length, textMaxBytes];
  return rest > most;
}

function refused(status: number, id: unknown, code: number, message: string): RawResponse {
  const messageId = typeof id === "string" || typeof id === "number" ? id : null;
  return new RawResponse(status, "application/json", JSON.stringify({ jsonrpc: "2.0", id: messageId, error: { code, message } }));
}
