export const exitCodes = { done: 0, refused: 1, usage: 2, key: 3, unreachable: 4 };

export class Failure extends Error {
  constructor(message, exitCode = exitCodes.refused, code = undefined) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
