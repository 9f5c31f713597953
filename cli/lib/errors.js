export const exitCodes = { done: 0, refused: 1, usage: 2, key: 3, unreachable: 4 };

/** `code`: the API's error code, if any. */
export class Failure extends Error {
  constructor(message, exitCode = exitCodes.refused, code = undefined) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
