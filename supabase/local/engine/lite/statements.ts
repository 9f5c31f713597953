/** Classifies lite's statements by text, because lite runs as superuser. tests/faults/lite-statements.test.ts covers them all. */

/** Statements before a request's own query: begin, then the role and claims. */
const beginning = /^begin$/i;
const setting = /^\s*select set_config\('([\w.]+)', (?:\$1|'([^']*)'), true\)\s*$/i;
const roleOfStorage = /^set local role "(\w+)"$/i;
const otherRole = /^\s*(?:set|reset)\b.*\b(?:role|authorization)\b|^\s*(?:discard|reset all)\b|\bset_config\(\s*'role'/is;
const ending = /^(commit|rollback)$/i;
/** Lite's own tables and catalog queries. */
const own = /^(?:select (?:(?!\bfrom\b)[^()]|\((?:(?!\bfrom\b)[^()])*\))*\bfrom|insert into|update|delete from) "(?:auth|storage)"\."\w+"/i;
const bucketAboutToGo =
  /^\s*(?:declare storage_bucket_delete no scroll cursor for\s+select id from storage\.buckets |fetch forward 1 from storage_bucket_delete)/i;
const savepoint = /^(?:savepoint|release savepoint) \w+$/i;
const undoing = /^rollback to savepoint \w+$/i;
const catalog = /^\s*select\b(?:.*\bfrom (?:information_schema\.|pg_)\w+| current_database\(\))/is;
const namesTable = /\b(?:from|join) (?:"|public\.)/i;
/** A function call or claims statement; few texts, so Postgres can cache the plans. */
const call = /^select \* from public\.\w+\([^()]*\) as "\w+" limit \$\d+$/;
const person = /^select \* from "auth"\."users" where "id" = \$1$/;
const response =
  /^\s*select current_setting\('response\.status', true\) as status,\s*current_setting\('response\.headers', true\) as headers\s*$/i;
export const responseSettings =
  "select current_setting('response.status', true) as status, current_setting('response.headers', true) as headers";

const newRefreshToken = /^insert into "auth"\."refresh_tokens" \("id", ([^()]+)\) values \(\$1(?:, \$\d+)+\)$/i;

const apiRoles = ["anon", "authenticated", "service_role"];

export const isBeginning = (query: string): boolean => beginning.test(query);
export const isEnding = (query: string): boolean => ending.test(query);
export const isCall = (query: string): boolean => call.test(query);
export const asksResponse = (query: string): boolean => response.test(query);
export const keepsPlan = (query: string): boolean => isCall(query) || person.test(query);

export const isOwn = (query: string): boolean =>
  own.test(query) || bucketAboutToGo.test(query) || savepoint.test(query) || (catalog.test(query) && !namesTable.test(query));

export function asHosted(query: string, parameters: unknown[]): { query: string; parameters: unknown[] } {
  const [, columns] = newRefreshToken.exec(query) ?? [];
  if (columns === undefined) return { query, parameters };
  const places = columns.split(",").map((_, index) => `$${index + 1}`);
  return { query: `insert into "auth"."refresh_tokens" (${columns}) values (${places.join(", ")})`, parameters: parameters.slice(1) };
}

export function settingOf(query: string, parameters: readonly unknown[]): { name: string; value: unknown } | null {
  const [, name, text] = setting.exec(query) ?? [];
  return name === undefined ? null : { name, value: text ?? parameters[0] };
}

export function roleOf(query: string, parameters: readonly unknown[]): string | null {
  const { name, value } = settingOf(query, parameters) ?? {};
  const role = name === "role" ? String(value) : roleOfStorage.exec(query)?.[1];
  return role !== undefined && apiRoles.includes(role) ? role : null;
}

export class RoleOfTransaction {
  #isOpen = false;
  #role: string | null = null;

  allows(query: string, parameters: readonly unknown[]): boolean {
    if (isBeginning(query) || isEnding(query)) {
      this.#isOpen = isBeginning(query);
      this.#role = null;
      return true;
    }
    if (undoing.test(query)) {
      this.#role = null; // it may have been set after the savepoint
      return true;
    }
    const newRole = roleOf(query, parameters);
    if (newRole === null && otherRole.test(query)) this.#role = null;
    if (newRole !== null && this.#isOpen) this.#role = newRole; // SET LOCAL has no effect outside a transaction
    return this.#role !== null || settingOf(query, parameters) !== null || isOwn(query);
  }
}
