/** A reason not to start that the person can act on: `message` is one sentence, shown without a stack trace. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** A sentence for what the operating system refuses (no space, no permission, no such folder); any other fault as it is. */
export function asStartError(error: unknown, whatFailed: string): unknown {
  const [, reason] = /^E[A-Z\d]+: (.+)/.exec(error instanceof Error ? error.message : "") ?? [];
  return reason && !(error instanceof StartError) ? new StartError(`${whatFailed}: ${reason}.`) : error;
}
