import { valueTypes } from "./values.ts";

/** Characters of JSON that one request may take out of the database: a page of an export is half as long. */
export const resultMaxLength = 4_194_304;

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
      if (left < 0) throw Object.assign(new Error("The result is too long; ask for fewer rows or columns"), { code: "54000" });
      return type.parse(text);
    },
  });
  return {
    types: { ...valueTypes, json: counted(valueTypes.json), jsonb: counted(valueTypes.jsonb) },
    reset: () => void (left = most),
  };
}
