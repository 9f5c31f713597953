import { resultMaxLength } from "../result-max-length.ts";
import { valueTypes } from "./values.ts";

/** Nobody reads the rest of such a result: Postgres need not make it. */
export class ResultTooLong extends Error {
  readonly code = "54000";

  constructor() {
    super("The result is too long; ask for fewer rows or columns");
  }
}

/**
 * Value types of one connection that stop reading a result which is too long: lite would put all of it together in the process that everybody's
 * requests pass through. PostgREST has Postgres do that.
 */
export function limitedResults(most = resultMaxLength): { types: typeof valueTypes; reset(): void } {
  let left = most;
  const counted = <Type extends { parse(text: string): unknown }>(type: Type): Type => ({
    ...type,
    parse: (text: string) => {
      left -= text.length;
      if (left < 0) throw new ResultTooLong();
      return type.parse(text);
    },
  });
  return {
    types: { ...valueTypes, json: counted(valueTypes.json), jsonb: counted(valueTypes.jsonb) },
    reset: () => void (left = most),
  };
}
