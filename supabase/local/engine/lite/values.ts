/** How lite's postgres.js writes and reads types in which it would differ from PostgREST; keys as lite's own, so that they win. */
export const valueTypes = {
  timestamptz: timestamps(1184),
  timestamp: timestamps(1114),
  json: json(114),
  jsonb: json(3802),
};

/** PostgREST writes ISO 8601; lite hands Postgres' own text on. */
function timestamps(oid: number) {
  return {
    to: oid,
    from: [oid],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: (text: string) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"),
  };
}

/**
 * lite itself turns the arguments of a call and a person's metadata into JSON text, which postgres.js would encode once more, so that
 * a string would arrive instead of the value. Other strings are left to postgres.js, so only those that are no JSON are meant as strings.
 */
function json(oid: number) {
  return {
    to: oid,
    from: [oid],
    serialize: (value: unknown) => (typeof value === "string" && isJson(value) ? value : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
