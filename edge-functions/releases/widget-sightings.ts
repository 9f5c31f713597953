import { describeFault, type Fault } from "../_shared/log.ts";
import type { Sql } from "./queries/database.ts";

const kept = 10_000;

/**
 * Notes that a page of another site has shown a workspace's widget, for the first steps on its dashboard: the browser names the page's
 * origin by itself when it asks for the widget's data, and nothing else of it is looked at. The database is told once a workspace.
 */
export class WidgetSightings {
  readonly #sql: Sql;
  readonly #noted = new Set<string>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Nobody waits for it; a failure is told to nobody but the log. */
  async note(subdomain: string, origin: string, onFault: (fault: Fault) => void): Promise<void> {
    if (this.#noted.has(subdomain)) return;
    if (this.#noted.size >= kept) this.#noted.clear();
    this.#noted.add(subdomain);
    const sql = this.#sql;
    try {
      await sql`select private.note_widget(${subdomain}, ${origin})`;
    } catch (thrown) {
      this.#noted.delete(subdomain);
      onFault(describeFault(thrown));
    }
  }
}
