import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { fromAuth, fromDatabase, fromStorage } from "./backend-errors.ts";
import { AppError, presentError } from "./errors.ts";
import { describeFault } from "./log.ts";

const database = (code: string, rest: { message?: string; hint?: string; details?: string } = {}, status = 400) =>
  fromDatabase({ code, message: rest.message ?? "duplicate key", hint: rest.hint ?? null, details: rest.details ?? null }, status);

describe("database errors", () => {
  test.each([
    ["P0001", { hint: "forbidden" }, "forbidden"],
    ["P0001", { hint: "subdomain_reserved" }, "subdomain_reserved"],
    ["42501", {}, "forbidden"],
    ["23505", { message: 'duplicate key value violates unique constraint "workspaces_subdomain_key"' }, "subdomain_taken"],
    ["23505", { message: 'duplicate key value violates unique constraint "posts_slug_key"' }, "slug_taken"],
    ["23514", {}, "validation_failed"],
    ["22P02", {}, "validation_failed"],
    ["PGRST116", {}, "not_found"],
    ["PGRST301", {}, "unauthenticated"],
    ["40001", {}, "unavailable"],
    ["57P01", {}, "unavailable"],
    ["08006", {}, "unavailable"],
    ["42P01", {}, "internal"],
    ["P0001", { hint: "constructor" }, "internal"],
    ["P0001", {}, "internal"],
  ])("%s %j is %s", (code, rest, expected) => {
    expect(database(code, rest).code).toBe(expected);
  });

  test("includes the fields", () => {
    expect(database("P0001", { hint: "validation_failed", details: '{"title": "Title is required"}' }).details.fields).toEqual({
      title: "Title is required",
    });
    expect(database("P0001", { hint: "subdomain_taken" }).details.fields).toEqual({ subdomain: "This subdomain is already taken." });
  });

  test("includes the conflicting save", () => {
    const details = '{"version": 3, "updated_at": "2026-01-02T03:04:05.678901+00:00", "updated_by_name": "Ada"}';
    expect(database("P0001", { hint: "version_conflict", details }).details.conflict).toEqual({
      version: 3,
      updated_at: "2026-01-02T03:04:05.678Z",
      updated_by_name: "Ada",
    });
  });

  test.each([0, 502, 503, 504])("without a response (%d) is temporary", (status) => {
    expect(database("", { message: "TypeError: fetch failed" }, status).code).toBe("unavailable");
  });

  test.each([
    [413, "body_too_large"],
    [429, "rate_limited"],
    [503, "unavailable"],
    [500, "internal"],
  ])("and what the gateway refuses before it, in words of its own (%d), is %s", (status, expected) => {
    const body = { error: "Your request is too large.", code: "body_too_large" };
    expect(fromDatabase(body, status).code).toBe(expected);
  });

  test("hides internals", () => {
    const { body } = presentError(database("42P01", { message: 'relation "private.keys" does not exist' }), "request-1");
    expect(body).toEqual({
      error: "Something went wrong on our side. Nothing you wrote is lost.",
      code: "internal",
      request_id: "request-1",
    });
  });
});

test.each([
  ["invalid_credentials", 400, "invalid_credentials"],
  ["email_not_confirmed", 400, "email_not_confirmed"],
  ["otp_expired", 403, "link_invalid"],
  ["captcha_failed", 400, "captcha_failed"],
  ["over_request_rate_limit", 429, "rate_limited"],
  ["something_new", 429, "rate_limited"],
  ["weak_password", 422, "validation_failed"],
  ["something_new", 500, "internal"],
])("the auth service's %s (%d) is %s", (code, status, expected) => {
  expect(fromAuth(new AuthApiError("said the service", status, code)).code).toBe(expected);
});

test.each([
  ["For security purposes, you can only request this after 42 seconds.", "rate_limited"],
  ["email rate limit exceeded", "unavailable"],
])("the auth service's over_email_send_rate_limit, %j, is %s", (message, expected) => {
  expect(fromAuth(new AuthApiError(message, 429, "over_email_send_rate_limit")).code).toBe(expected);
});

test("an unreachable auth service is temporary", () => {
  const error = fromAuth(new AuthRetryableFetchError("fetch failed", 0));
  expect([error.code, presentError(error, "x").headers]).toEqual(["unavailable", { "retry-after": "1" }]);
});

test.each([
  [{ message: "new row violates row-level security policy", statusCode: "403" }, "forbidden"],
  [{ message: "new row violates row-level security policy", statusCode: "400" }, "forbidden"],
  [{ message: "The object exceeded the maximum allowed size", statusCode: "413" }, "body_too_large"],
  [{ message: "mime type image/svg+xml is not supported", statusCode: "415" }, "file_not_image"],
  [{ message: "fetch failed" }, "unavailable"],
  [{ message: "disk on fire", statusCode: "500" }, "internal"],
  [{ message: "There's no space left", statusCode: "507" }, "storage_full"],
  [{ message: "Too many attempts", status: 429, statusCode: "rate_limited" }, "rate_limited"],
  [{ message: "Payload too large", status: 413, statusCode: "body_too_large" }, "body_too_large"],
])("the storage service's %j is %s", (error, expected) => {
  expect(fromStorage(error).code).toBe(expected);
});

test("the log has the cause without personal data", () => {
  const fault = describeFault(
    new AppError("internal", { cause: { code: "23505", message: "Key (email)=(ada@example.com) exists", details: "ada@example.com" } }),
  );
  expect(JSON.stringify(fault)).not.toContain("ada@example.com");
  expect(fault.cause).toMatchObject({ code: "23505", message: "Key (email)=([address]) exists" });
});
