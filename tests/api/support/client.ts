import type { z } from "zod";
import type { ErrorBody } from "#contract/errors.ts";

export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body & Partial<ErrorBody>;
}

export interface Options {
  body?: unknown;
  headers?: Record<string, string | null>;
}

export class Client {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  lastCookies: string[] = [];
  readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url.replace("127.0.0.1", "localhost");
    this.token = token;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async send<Body = Record<string, unknown>>(method: string, path: string, { body, headers = {} }: Options = {}): Promise<Answer<Body>> {
    const isRaw = typeof body === "string" || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream;
    const defaults: Record<string, string | null> = {
      origin: this.url,
      cookie: this.cookieHeader || null,
      authorization: this.token ? `Bearer ${this.token}` : null,
      "content-type": body instanceof FormData ? null : "application/json",
    };
    const answer = await fetch(this.url + path, {
      method,
      headers: Object.entries({ ...defaults, ...headers }).filter((entry): entry is [string, string] => entry[1] !== null),
      body: isRaw ? (body as BodyInit) : body === undefined ? undefined : JSON.stringify(body),
      ...(body instanceof ReadableStream && { duplex: "half" }),
    });
    this.#keep(answer.headers.getSetCookie());
    const isFile = /^(?:text\/csv|image\/png)/.test(answer.headers.get("content-type") ?? "");
    const received: unknown = isFile ? await answer.text() : await answer.json().catch(() => ({}));
    return { status: answer.status, headers: answer.headers, body: received as Answer<Body>["body"] };
  }

  get = <Body = Record<string, unknown>>(path: string, options?: Options) => this.send<Body>("GET", path, options);
  post = <Body = Record<string, unknown>>(path: string, body?: unknown, options?: Options) =>
    this.send<Body>("POST", path, { body, ...options });
  put = <Body = Record<string, unknown>>(path: string, body?: unknown, options?: Options) =>
    this.send<Body>("PUT", path, { body, ...options });
  patch = <Body = Record<string, unknown>>(path: string, body?: unknown, options?: Options) =>
    this.send<Body>("PATCH", path, { body, ...options });
  delete = <Body = Record<string, unknown>>(path: string, options?: Options) => this.send<Body>("DELETE", path, options);

  upload<Body = Record<string, unknown>>(
    path: string,
    bytes: Uint8Array,
    name = "picture.png",
    type = "image/png",
    field = "image",
  ): Promise<Answer<Body>> {
    const form = new FormData();
    form.set(field, new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));
    return this.send<Body>("POST", path, { body: form });
  }

  #keep(lines: string[]): void {
    if (lines.length > 0) this.lastCookies = lines;
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(name.length + 1));
    }
  }
}

export function as<Schema extends z.ZodType>(endpoint: { response: Schema; status: number }, answer: Answer): z.output<Schema> {
  if (answer.status !== endpoint.status)
    throw new Error(`expected ${endpoint.status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  return endpoint.response.parse(answer.body);
}
