import type { ToolInput, ToolName, ToolOutput } from "#contract/mcp/tools.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { AdmittedKey } from "../../_shared/key-calls.ts";

export interface ToolCall {
  key: Pick<AdmittedKey, "id" | "workspaceId" | "scopes" | "createdBy">;
  /** Database functions only, each call in its own transaction. */
  db: Database;
  env: Env;
  requestId: string;
  canAsk: boolean;
  /**
   * Asks the user and returns the answer. The first call ends here; the client repeats it with the answer, which is valid for ten minutes
   * for the same key, tool, arguments and `about`. Code before `ask` runs twice, so it must only read.
   */
  ask(question: Question): Promise<"yes" | "no">;
}

export interface Question {
  message: string;
  yes: string;
  /** Further dependencies of the answer: if they change, the user is asked again. */
  about?: string;
}

/** Markdown for the model, structured output for programs. */
export interface Answer<Output> {
  text: string;
  structured: Output;
}

/** Called with an allowed key and validated input. AppErrors and ToolProblems become tool errors; other errors hide internals. */
export type Run<Name extends ToolName> = (call: ToolCall, input: ToolInput<Name>) => Promise<Answer<ToolOutput<Name>>>;

export class ToolProblem extends Error {
  override readonly name = "ToolProblem";
}

export const editorLink = ({ env, key }: Pick<ToolCall, "env" | "key">, postId: string): string =>
  `${env.publicUrl}/workspace/${key.workspaceId}/changelog/edit/${postId}`;
