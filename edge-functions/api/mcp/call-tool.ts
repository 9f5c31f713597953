import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { type Tool, type ToolName, tools } from "#contract/mcp/tools.ts";
import { AppError } from "../../_shared/errors.ts";
import { fieldsOf } from "../../_shared/handle.ts";
import type { Message } from "./message.ts";
import { describeProblem, internalProblem, scopeProblem } from "./problems.ts";
import { type Questions, Unanswered } from "./questions.ts";
import { runs } from "./registry.ts";
import { type Answer, type ToolCall, ToolProblem } from "./tool.ts";

interface Given {
  /** Protocol revision in which clients answer questions. */
  isModern: boolean;
  context: ServerContext;
  questions: Questions;
  fault(thrown: unknown): void;
}

/** Errors are tool results that a model can act on; only an unknown tool is a protocol error. */
export async function callTool(
  { key, db, env, requestId, reply }: Message,
  { name, arguments: sent = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  { isModern, context, questions, fault }: Given,
): Promise<CallToolResult | InputRequiredResult> {
  if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There's no tool ${JSON.stringify(name.slice(0, 60))}`);
  reply.tool = name;
  const tool: Tool = tools[name];
  if (tool.scopes.length > 0 && !tool.scopes.some((scope) => key.scopes.includes(scope))) return toolError(scopeProblem(tool.scopes[0]!));
  const input = tool.input.safeParse(sent);
  if (!input.success) return toolError(describeProblem(new AppError("validation_failed", { fields: fieldsOf(input.error, name) })));
  const canAsk = isModern && takesForms(context);
  const call: ToolCall = {
    ...{ key, db, env, requestId, canAsk },
    async ask(question) {
      if (!canAsk) throw new Error(`${name} needs confirmation, which this client doesn't support`);
      return await questions.ask(name, input.data, question, context);
    },
  };
  try {
    const run = runs[name] as (call: ToolCall, input: unknown) => Promise<Answer<unknown>>;
    const { text, structured } = await run(call, input.data);
    const shown = (tool.output as z.ZodType<Record<string, unknown>>).parse(structured);
    return { content: [{ type: "text", text }], structuredContent: shown };
  } catch (thrown) {
    if (thrown instanceof Unanswered) return thrown.result;
    if (thrown instanceof ToolProblem) return toolError(thrown.message);
    if (thrown instanceof AppError && thrown.status < 500) return toolError(describeProblem(thrown));
    fault(thrown instanceof AppError ? (thrown.details.cause ?? thrown) : thrown);
    return toolError(thrown instanceof AppError && thrown.code !== "internal" ? describeProblem(thrown) : internalProblem(requestId));
  }
}

const isTool = (name: string): name is ToolName => Object.hasOwn(tools, name);

const toolError = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** True if the client declares form elicitation in this call; without a mode it means forms. */
function takesForms({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const elicitation = envelope?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
