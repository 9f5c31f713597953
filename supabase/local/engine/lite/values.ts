/** Serializers and parsers where lite differs from PostgREST; keys match lite's, to override them. */
export const valueTypes = {
  timestamptz: timestamps(1184),
  timestamp: timestamps(1114),
  json: json(114),
  jsonb: json(3802),
};

function timestamps(oid: number) {
  return {
    to: oid,
    from: [oid],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: (text: string) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"),
  };
}

/** Lite passes arguments and metadata as JSON text, which postgres.js would encode twice. Only invalid JSON is encoded as a string. */
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
