import type { Introspection, PostgresConnection } from "./types.d.ts";

/** Drops view definitions from lite's schema cache: each REST call scans them for SQLite types, and we embed nothing through views. */
export function forgetViewTexts(connection: PostgresConnection): void {
  const introspect = connection.introspect.bind(connection);
  const cache = new WeakMap<Introspection, Introspection>();
  connection.introspect = async (options) => {
    const whole = await introspect(options);
    const stripped = cache.get(whole) ?? { ...whole, views: whole.views.map((view) => ({ ...view, sql: "" })) };
    cache.set(whole, stripped);
    return stripped;
  };
}
