import type { Bytes } from "../../_shared/base64.ts";
import type { Reply } from "../../_shared/reply.ts";
import type { ToolCall } from "./tool.ts";

/** Of the call of an endpoint, what an assistant's message needs. */
export interface Message extends Pick<ToolCall, "key" | "db" | "env" | "requestId"> {
  /** Its body is `raw`. */
  request: Request;
  raw: Bytes;
  reply: Reply;
}
