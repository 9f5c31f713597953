import { mcpEndpoints } from "#contract/mcp/endpoint.ts";
import type { Binder } from "../../_shared/handle.ts";
import type { Log } from "../../_shared/log.ts";

export function bindMcp({ inProtocol }: Binder, write: Log): void {
  inProtocol(mcpEndpoints.call, async (call) => {
    const { answerAssistant } = await import("./server.ts");
    return await answerAssistant(call, write);
  });
}
