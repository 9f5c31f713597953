import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { exitCodes, Failure } from "./errors.js";

const tries = 5;
const longestWait = 60_000;
const timeout = 60_000;

/** Statuses to retry: transient, or the outcome is unknown. */
const again = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Client of /api/v1. Retries send the same Idempotency-Key, so a call is executed once. */
export class Api {
  #origin;
  #key;
  #wait;

  constructor({ url, key }, { wait = (ms) => after(ms) } = {}) {
    this.#origin = url;
    this.#key = key;
    this.#wait = wait;
  }

  get origin() {
    return this.#origin;
  }

  get = (path, headers) => this.#call("GET", path, { headers });
  post = (path, body) => this.#call("POST", path, { json: body, headers: { "idempotency-key": randomUUID() } });
  put = (path, body, headers) => this.#call("PUT", path, { json: body, headers });
  patch = (path, body, headers) => this.#call("PATCH", path, { json: body, headers: { "idempotency-key": randomUUID(), ...headers } });
  upload = (path, bytes, type) => this.#call("POST", path, { body: bytes, headers: { "content-type": type } });

  /** Streams the body without a timeout; the reader detects truncation. */
  file = (path) => this.#call("GET", path, { whole: false });

  async #call(method, path, { whole = true, json, body = json === undefined ? undefined : JSON.stringify(json), headers = {} }) {
    const request = {
      method,
      headers: {
        ...(this.#key && { authorization: `Bearer ${this.#key}` }),
        accept: "application/json",
        "user-agent": "tidings-cli",
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      redirect: "manual", // a redirect would leak the key
      ...(body !== undefined && { body }),
    };
    for (let attempt = 1; ; attempt++) {
      let answer;
      let problem;
      try {
        answer = await this.#answer(path, request, whole);
        if (answer.ok && !whole) return answer;
        const text = await answer.text();
        if (answer.ok) return isJson(answer) ? JSON.parse(text) : text;
        if (!again.has(answer.status)) throw refusal(answer, text, this.#origin);
        problem = refusal(answer, text, this.#origin);
      } catch (error) {
        if (error instanceof Failure) throw error;
        const reason = error.name === "TimeoutError" ? "no response" : (error.cause?.code ?? error.cause?.message ?? error.message);
        problem = new Failure(`couldn't reach ${this.#origin}: ${reason}`, exitCodes.unreachable);
      }
      const asked = Number(answer?.headers.get("retry-after") ?? 0) * 1_000;
      if (attempt === tries || asked > longestWait) throw problem;
      await this.#wait(Math.max(asked, 500 * 2 ** (attempt - 1)));
    }
  }

  /** Timeout of the whole response, or of its headers when the body is streamed. */
  async #answer(path, request, whole) {
    if (whole) return await fetch(this.#origin + path, { ...request, signal: AbortSignal.timeout(timeout) });
    const late = new AbortController();
    const clock = setTimeout(() => late.abort(new DOMException("no response", "TimeoutError")), timeout);
    try {
      return await fetch(this.#origin + path, { ...request, signal: late.signal });
    } finally {
      clearTimeout(clock);
    }
  }
}

const isJson = (answer) => (answer.headers.get("content-type") ?? "").includes("json");

function refusal({ status, headers }, text, origin) {
  if (status >= 300 && status < 400) {
    return new Failure(`${origin} redirects to ${headers.get("location") ?? status}. Use that URL as --url.`, exitCodes.usage);
  }
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {}
  if (body === null || typeof body.error !== "string") {
    return new Failure(
      `${origin} responded with ${status}, and not as Tidings does. Is the URL right?`,
      status >= 500 ? exitCodes.unreachable : exitCodes.refused,
    );
  }
  const { error, code, fields, scope, request_id } = body;
  const details = { code, fields, scope, request_id };
  if (status === 401) {
    return new Failure(
      "The key is invalid, revoked or expired, or belongs to another Tidings. Create one in the settings, API keys, then run tidings login.",
      exitCodes.key,
      details,
    );
  }
  const exitCode = status === 403 ? exitCodes.key : status === 503 || status === 429 ? exitCodes.unreachable : exitCodes.refused;
  return new Failure(error, exitCode, details);
}
