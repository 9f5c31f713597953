import { describeFault, type Fault } from "../_shared/log.ts";
import type { Sql } from "./queries/database.ts";

const maxEntries = 10_000;

/** Onboarding: records that another site shows the widget, by the Origin header. One query per workspace and process. */
export class WidgetSightings {
  readonly #sql: Sql;
  readonly #noted = new Set<string>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async note(subdomain: string, origin: string, onFault: (fault: Fault) => void): Promise<void> {
    if (this.#noted.has(subdomain)) return;
    if (this.#noted.size >= maxEntries) this.#noted.clear();
    this.#noted.add(subdomain);
    const sql = this.#sql;
    try {
      await sql`select private.record_widget_use(${subdomain}, ${origin})`;
    } catch (thrown) {
      this.#noted.delete(subdomain);
      onFault(describeFault(thrown));
    }
  }
}
