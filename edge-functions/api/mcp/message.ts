import type { Bytes } from "../../_shared/base64.ts";
import type { Reply } from "../../_shared/reply.ts";
import type { ToolCall } from "./tool.ts";

export interface Message extends Pick<ToolCall, "key" | "db" | "env" | "requestId"> {
  request: Request;
  raw: Bytes;
  reply: Reply;
}
