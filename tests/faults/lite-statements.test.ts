import fs from "node:fs";
import path from "node:path";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asksResponse, isBeginning, isCall, isEnding, isOwn, roleOf } from "../../supabase/local/engine/lite/statements.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { makePlace, type Place } from "./support/writers.ts";

/** The stack recognizes @supabase/lite's statements by their text. This fails if a new version of lite changes them. */
let stack: RunningStack;
let place: Place;
const noSession = { auth: { persistSession: false, autoRefreshToken: false } };
const email = "somebody@example.com";
const password = "correct horse battery";
const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

beforeAll(async () => {
  stack = await startStack({ env: { TIDINGS_SLOW_QUERY_MS: "0", TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  place = await makePlace(stack);
});
afterAll(() => stack?.stop());

const logOf = (part: string): string => fs.readFileSync(path.join(stack.dataDir, `logs/${part}.log`), "utf8");

function statements(): string[] {
  const entries = logOf("postgres")
    .split(/\n(?=\d{4}-\d\d-\d\d )/)
    .flatMap((entry) => {
      const [, pid, name, query] =
        /^\S+ \S+ \S+ \[(\d+)\] (\S+) LOG: {2}duration: \S+ ms {2}(?:execute [^:]+|statement): (.*)$/s.exec(entry) ?? [];
      return pid && name && query ? [{ pid, name, query: query.replace(/\s+/g, " ").trim() }] : [];
    });
  const ofLite = new Set(entries.filter(({ name }) => name === "lite").map(({ pid }) => pid));
  return [...new Set(entries.filter(({ pid }) => ofLite.has(pid)).map(({ query }) => query))];
}

const settingsAtOnce = /^select (?:set_config\('[\w.]+', \$\d+, true\)(?:, )?)+$/;
const request =
  /^(?:select [^()]*|select count\(\*\) as "__count" |insert into |update |delete )(?:from )?"public"\."\w+"|^DELETE FROM storage\.buckets WHERE CURRENT OF /;
const ofTheStart = /^(?:create|alter|grant|--|select b\.oid, b\.typarray)/i;

const kindOf = (query: string): string | undefined => {
  if (isBeginning(query) || isEnding(query)) return "transaction";
  if (settingsAtOnce.test(query)) return "settings";
  if (roleOf(query, []) !== null) return "role";
  if (isCall(query)) return "call";
  if (asksResponse(query)) return "response";
  if (isOwn(query)) return "own";
  if (request.test(query)) return "request";
  return ofTheStart.test(query) ? "start" : undefined;
};

const good = async (call: PromiseLike<{ error: unknown }>): Promise<void> => expect((await call).error).toBeNull();

async function signUpAndIn() {
  const person = createClient(stack.url, stack.publishableKey, noSession);
  await good(person.auth.signUp({ email, password, options: { data: { full_name: "Some Body" } } }));
  await good(person.auth.resend({ type: "signup", email }));
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`update auth.users set email_confirmed_at = now(), confirmation_token = '' where email = ${email}`;
  await sql`insert into private.email_changes (user_id, old_email, new_email) select id, email, 'elsewhere@example.com' from auth.users where email = ${email}`;
  await sql.end();
  await good(person.auth.signInWithPassword({ email, password }));
  return person;
}

test("the stack recognizes every statement of every kind of call", async () => {
  const person = await signUpAndIn();
  await good(person.auth.refreshSession());
  await good(person.auth.getUser());
  await good(person.auth.updateUser({ data: { full_name: "Some Body Else" } }));
  await good(person.auth.updateUser({ email: "elsewhere@example.com" }));
  await good(person.auth.resetPasswordForEmail(email));
  await person.auth.verifyOtp({ type: "recovery", token_hash: "0".repeat(64) });

  const headers = { authorization: `Bearer ${place.token}` };
  const member = createClient(stack.url, stack.publishableKey, { ...noSession, global: { headers } });
  const posts = () => member.from("posts").select("id, title").eq("workspace_id", place.workspaceId);
  await good(posts().order("title").range(0, 3));
  await good(member.from("posts").select("*", { count: "exact", head: true }));
  await good(posts().limit(1).maybeSingle());
  await good(member.from("profiles").update({ full_name: "Ann" }).eq("user_id", crypto.randomUUID()).select());
  await good(member.from("posts").delete().eq("title", "none"));
  await member.from("tags").insert({ workspace_id: place.workspaceId, label: "One" }).select();
  await good(member.rpc("my_workspaces"));

  const images = member.storage.from("post-images");
  const [one, two] = [1, 2].map(() => `${place.workspaceId}/${crypto.randomUUID()}.png`) as [string, string];
  await good(images.upload(one, dot, { contentType: "image/png" }));
  await good(images.list(place.workspaceId));
  await good(images.download(one));
  await good(images.info(one));
  await good(images.createSignedUrl(one, 60));
  await good(images.copy(one, two));
  await good(images.remove([one]));
  expect((await fetch(images.getPublicUrl(two).data.publicUrl)).status).toBe(200);

  const service = createClient(stack.url, stack.secretKey, noSession);
  await good(service.from("posts").select("id").limit(1));
  await good(service.storage.listBuckets());
  await good(service.storage.createBucket("for-a-moment"));
  await good(service.storage.deleteBucket("for-a-moment"));
  await good(service.storage.from("post-images").remove([two]));
  await good(person.auth.signOut({ scope: "others" }));
  await good(person.auth.signOut());

  await expect.poll(() => statements().some((query) => query.startsWith('delete from "auth"."sessions"'))).toBe(true);
  const all = statements();
  expect(all.filter((query) => kindOf(query) === undefined)).toEqual([]);
  expect(logOf("supervisor")).not.toContain("lite asks outside of a role");
  const kinds = Map.groupBy(all, kindOf);
  for (const kind of ["transaction", "settings", "role", "call", "response", "own", "request"]) expect([...kinds.keys()]).toContain(kind);
  console.log(`${all.length} statements of lite: ${[...kinds].map(([kind, each]) => `${each.length} ${kind}`).join(", ")}`);
});

test("no refresh token gets an id generated by lite", () => {
  const inserts = statements().filter((query) => query.startsWith('insert into "auth"."refresh_tokens"'));
  expect(inserts.length).toBeGreaterThan(0);
  for (const query of inserts) expect(query).not.toContain('"id"');
});

test("the user's claims are set in one statement, before the request's own", () => {
  const withRole = statements().filter((query) => query.includes("set_config('role'"));
  expect(withRole.length).toBeGreaterThan(0);
  for (const query of withRole) expect(query.match(/set_config/g)!.length).toBeGreaterThan(3);
});

test("lite's own statements time out after eight seconds, by the connection's setting", { timeout: 60_000 }, async () => {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const held = await sql.reserve();
  try {
    await held`begin`;
    await held`lock table auth.identities in access exclusive mode`;
    const began = performance.now();
    const stranger = createClient(stack.url, stack.publishableKey, noSession);
    const { error } = await stranger.auth.signInWithPassword({ email, password });
    expect(error?.status).toBeGreaterThanOrEqual(500);
    expect(performance.now() - began).toBeGreaterThan(7_500);
  } finally {
    await held`rollback`;
    held.release();
    await sql.end();
  }
});

test("a REST call trusts the access token without a user lookup, as PostgREST does", async () => {
  const member = createClient(stack.url, stack.publishableKey, {
    ...noSession,
    global: { headers: { authorization: `Bearer ${place.token}` } },
  });
  const asked = (words: string) => logOf("postgres").split(words).length - 1;
  const [calls, lookUps] = ["public.my_workspaces(", 'from "auth"."users" where "id"'] as const;
  const [callsBefore, lookUpsBefore] = [asked(calls), asked(lookUps)];
  for (let at = 0; at < 3; at++) await good(member.rpc("my_workspaces"));
  await expect.poll(() => asked(calls)).toBeGreaterThanOrEqual(callsBefore + 3);
  expect(asked(lookUps)).toBe(lookUpsBefore);
});
