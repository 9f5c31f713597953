/** A reason not to start that the person can act on: `message` is one sentence, shown without a stack trace. */
export class StartError extends Error {
  override readonly name = "StartError";
}
