import type { ToolName } from "#contract/mcp/tools.ts";
import type { Run } from "./tool.ts";

/** How each tool works; the order is that of the contract. */
export const runs: { [Name in ToolName]?: Run<Name> } = {};
