/** A start failure that the user can fix: `message` is one sentence, shown without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Operating system errors (disk full, permission, missing folder) as a sentence; others unchanged. */
export function asStartError(error: unknown, whatFailed: string): unknown {
  const [, reason] = /^E[A-Z\d]+: (.+)/.exec(error instanceof Error ? error.message : "") ?? [];
  return reason && !(error instanceof StartError) ? new StartError(`${whatFailed}: ${reason}.`) : error;
}
