import type { Introspection, PostgresConnection } from "./types.d.ts";

/**
 * What lite knows of the schema, without the texts of its views: at each call of REST it looks through them, column by column, for types that only
 * SQLite lacks. It reads them for nothing else but to embed a table through a view, which nobody here asks for.
 */
export function forgetViewTexts(connection: PostgresConnection): void {
  const introspect = connection.introspect.bind(connection);
  const known = new WeakMap<Introspection, Introspection>();
  connection.introspect = async (options) => {
    const whole = await introspect(options);
    const kept = known.get(whole) ?? { ...whole, views: whole.views.map((view) => ({ ...view, sql: "" })) };
    known.set(whole, kept);
    return kept;
  };
}
