import { mcpEndpoints } from "#contract/mcp/endpoint.ts";
import type { Binder } from "../../_shared/handle.ts";
import type { Log } from "../../_shared/log.ts";

/** Assistants. What speaks their protocol is loaded with the first of them: a worker that no assistant asks starts without it. */
export function bindMcp({ inProtocol }: Binder, write: Log): void {
  inProtocol(mcpEndpoints.call, async (call) => {
    const { answerAssistant } = await import("./server.ts");
    return await answerAssistant(call, write);
  });
}
