/** How a run ends; docs/command-line.md lists them. */
export const exitCodes = { done: 0, refused: 1, usage: 2, key: 3, unreachable: 4 };

/** What went wrong, as sentences for who ran the command. `code`: the product's word for it, where the product said it. */
export class Failure extends Error {
  constructor(message, exitCode = exitCodes.refused, code = undefined) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
