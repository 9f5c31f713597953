import type { ToolInput, ToolName, ToolOutput } from "#contract/mcp/tools.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { AdmittedKey } from "../../_shared/key-calls.ts";

/** What a tool knows of its call. */
export interface ToolCall {
  key: Pick<AdmittedKey, "id" | "workspaceId" | "scopes" | "createdBy">;
  /** What the key may see and do: functions alone (`rpc`), each a transaction of its own. */
  db: Database;
  env: Env;
  requestId: string;
  /** Whether the client can put a question to its person; without it `ask` throws. */
  canAsk: boolean;
  /**
   * Puts a question to the person in front of the client, and answers what that person said. The call ends here the first time; the client makes
   * it again with the answer, which counts for this key, this tool, these arguments and this `about` alone, for ten minutes. So what stands before
   * `ask` is done twice, and must only read.
   */
  ask(question: Question): Promise<"yes" | "no">;
}

export interface Question {
  /** What the person reads, in plain text. */
  message: string;
  /** Of the box that has to be ticked for a yes, such as "Publish it now". */
  yes: string;
  /** What the yes depends on beside the arguments: where it has changed meanwhile, the person is asked anew. */
  about?: string;
}

/** What a tool answers, twice: as Markdown for the model, and in the shape of its output for programs. */
export interface Answer<Output> {
  text: string;
  structured: Output;
}

/**
 * How a tool works. It is called only with a key that may use it, and with input that was checked. An AppError that it throws (also one of the
 * database) becomes a tool error with its sentence; a ToolProblem one with a sentence of its own; anything else is a fault, told without internals.
 */
export type Run<Name extends ToolName> = (call: ToolCall, input: ToolInput<Name>) => Promise<Answer<ToolOutput<Name>>>;

/** A refusal in words that say what to do instead: a model reads them. */
export class ToolProblem extends Error {
  override readonly name = "ToolProblem";
}

/** Where a person of the team opens a post. */
export const editorLink = ({ env, key }: Pick<ToolCall, "env" | "key">, postId: string): string =>
  `${env.publicUrl}/workspace/${key.workspaceId}/changelog/edit/${postId}`;
