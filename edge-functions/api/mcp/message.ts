import type { Reply } from "../../_shared/reply.ts";
import type { ToolCall } from "./tool.ts";

/** Of the call of an endpoint, what an assistant's message needs. */
export interface Message extends Pick<ToolCall, "key" | "db" | "env" | "requestId"> {
  raw: Uint8Array;
  headers: Headers;
  reply: Reply;
}
