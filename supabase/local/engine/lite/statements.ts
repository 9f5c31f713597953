/**
 * lite works as the superuser and takes a request's role inside of a transaction. So its statements are told apart by their words, and the
 * words may change with its next version: what none of these is goes to the database in a role only (connections.ts), and
 * tests/faults/lite-statements.test.ts has lite say all of them.
 */

/** What lite says before a request's own query, one statement after the other: the transaction, then who is asking. */
const beginning = /^begin$/i;
const setting = /^\s*select set_config\('([\w.]+)', (?:\$1|'([^']*)'), true\)\s*$/i;
const roleOfStorage = /^set local role "(\w+)"$/i;
const otherRole = /^\s*(?:set|reset)\b.*\b(?:role|authorization)\b|^\s*(?:discard|reset all)\b|\bset_config\(\s*'role'/is;
const ending = /^(commit|rollback)$/i;
/** Its own tables, in the one form in which it asks for them; and what it learns of the schema once. */
const own = /^(?:select (?:(?!\bfrom\b)[^()]|\((?:(?!\bfrom\b)[^()])*\))*\bfrom|insert into|update|delete from) "(?:auth|storage)"\."\w+"/i;
const bucketAboutToGo =
  /^\s*(?:declare storage_bucket_delete no scroll cursor for\s+select id from storage\.buckets |fetch forward 1 from storage_bucket_delete)/i;
const savepoint = /^(?:savepoint|release savepoint) \w+$/i;
const undoing = /^rollback to savepoint \w+$/i;
const catalog = /^\s*select\b(?:.*\bfrom (?:information_schema\.|pg_)\w+| current_database\(\))/is;
const namesTable = /\b(?:from|join) (?:"|public\.)/i;
/** A call of one of our functions, and who is asking: few texts, asked again and again, so Postgres may keep their plans. */
const call = /^select \* from public\.\w+\([^()]*\) as "\w+" limit \$\d+$/;
const person = /^select \* from "auth"\."users" where "id" = \$1$/;
/** What lite asks after each call: the status and headers that the function has set for its answer. */
const response =
  /^\s*select current_setting\('response\.status', true\) as status,\s*current_setting\('response\.headers', true\) as headers\s*$/i;
export const responseSettings =
  "select current_setting('response.status', true) as status, current_setting('response.headers', true) as headers";

/** A new refresh token, with an id that lite has made. */
const newRefreshToken = /^insert into "auth"\."refresh_tokens" \("id", ([^()]+)\) values \(\$1(?:, \$\d+)+\)$/i;

/** The roles of requests, as PostgREST takes them. */
const apiRoles = ["anon", "authenticated", "service_role"];

export const isBeginning = (query: string): boolean => beginning.test(query);
export const isEnding = (query: string): boolean => ending.test(query);
export const isCall = (query: string): boolean => call.test(query);
export const asksResponse = (query: string): boolean => response.test(query);
export const keepsPlan = (query: string): boolean => isCall(query) || person.test(query);

/** What lite may ask as the superuser: its own tables and the catalog, nothing of the project's. */
export const isOwn = (query: string): boolean =>
  own.test(query) || bucketAboutToGo.test(query) || savepoint.test(query) || (catalog.test(query) && !namesTable.test(query));

/** The statement as it goes to the database: hosted numbers refresh tokens itself, so lite's own id (a text, which lite forgets) stays away. */
export function asHosted(query: string, parameters: unknown[]): { query: string; parameters: unknown[] } {
  const [, columns] = newRefreshToken.exec(query) ?? [];
  if (columns === undefined) return { query, parameters };
  const places = columns.split(",").map((_, index) => `$${index + 1}`);
  return { query: `insert into "auth"."refresh_tokens" (${columns}) values (${places.join(", ")})`, parameters: parameters.slice(1) };
}

/** A setting for the transaction, with its value. */
export function settingOf(query: string, parameters: readonly unknown[]): { name: string; value: unknown } | null {
  const [, name, text] = setting.exec(query) ?? [];
  return name === undefined ? null : { name, value: text ?? parameters[0] };
}

/** The role that a statement takes for its transaction. */
export function roleOf(query: string, parameters: readonly unknown[]): string | null {
  const { name, value } = settingOf(query, parameters) ?? {};
  const role = name === "role" ? String(value) : roleOfStorage.exec(query)?.[1];
  return role !== undefined && apiRoles.includes(role) ? role : null;
}

/** What a connection's transaction is allowed, followed from statement to statement. */
export class RoleOfTransaction {
  #isOpen = false;
  #role: string | null = null;

  /** Whether the statement may be asked now. */
  allows(query: string, parameters: readonly unknown[]): boolean {
    if (isBeginning(query) || isEnding(query)) {
      this.#isOpen = isBeginning(query);
      this.#role = null;
      return true;
    }
    if (undoing.test(query)) {
      this.#role = null; // it may have been taken since the savepoint
      return true;
    }
    const taken = roleOf(query, parameters);
    if (taken === null && otherRole.test(query)) this.#role = null;
    if (taken !== null && this.#isOpen) this.#role = taken; // outside of a transaction it would be gone at once
    return this.#role !== null || settingOf(query, parameters) !== null || isOwn(query);
  }
}
