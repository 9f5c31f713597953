export const exitCodes = { done: 0, refused: 1, usage: 2, key: 3, unreachable: 4 };

/** The API's error, with `fields`, `scope` and `request_id`, as lines of text. */
export const linesOf = ({ error, fields = {}, scope, request_id: requestId }) =>
  [
    error,
    ...Object.entries(fields).map(([field, sentence]) => `${field}: ${sentence}`),
    ...(scope === undefined ? [] : [`The key needs the scope ${scope}.`]),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
  ].join("\n  ");

export class Failure extends Error {
  constructor(sentence, exitCode = exitCodes.refused, details = {}) {
    super(linesOf({ ...details, error: sentence }));
    this.exitCode = exitCode;
    this.details = { ...details, error: sentence, exit_code: exitCode };
  }
}
