import http from "node:http";
import { quantile } from "../report.ts";
import type { Place } from "../api/people.ts";
import type { StackFile } from "../../support/stack.ts";

/** What went out and how it was answered since the last look. */
export interface Seen {
  answers: number;
  /** By what was wrong, e.g. "PUT 503". */
  faults: Record<string, number>;
  p99: number;
}

interface Call {
  method: string;
  path: string;
  host?: string;
  token?: string;
  body?: object;
}

/** Of ten calls seven are readers', one lists posts, two save: as many posts as savers, each saved by one person after the other. */
export class Load {
  readonly #stack: StackFile;
  readonly #place: Place & { subdomain: string; slugs: string[] };
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  readonly #saving = new Set<number>();
  #turn = 0;
  #times: number[] = [];
  #faults: Record<string, number> = {};

  constructor(stack: StackFile, place: Place & { subdomain: string; slugs: string[] }) {
    this.#stack = stack;
    this.#place = place;
  }

  /** As fast as answers come, `callers` at once; resolves to answers a second. */
  async flatOut(callers: number, ms: number): Promise<number> {
    this.look();
    const end = performance.now() + ms;
    const work = async () => {
      while (performance.now() < end) await this.#one();
    };
    await Promise.all(Array.from({ length: callers }, work));
    return (this.look().answers * 1_000) / ms;
  }

  /** `perSecond` calls begin each second, whether or not those before have been answered, until `until`. */
  async paced(perSecond: number, until: number): Promise<void> {
    const under = new Set<Promise<void>>();
    const began = performance.now();
    for (let begun = 0; performance.now() < until; await new Promise((resolve) => setTimeout(resolve, 5))) {
      for (const due = ((performance.now() - began) / 1_000) * perSecond; begun < due; begun++) {
        const call = this.#one();
        under.add(call);
        void call.finally(() => under.delete(call));
      }
    }
    await Promise.all(under);
  }

  /** What was seen since the last look. */
  look(): Seen {
    const seen = { answers: this.#times.length, faults: this.#faults, p99: quantile(this.#times, 0.99) };
    this.#times = [];
    this.#faults = {};
    return seen;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #one(): Promise<void> {
    const turn = this.#turn++;
    const kind = turn % 10;
    const post = turn % this.#place.postIds.length;
    if (kind >= 8 && !this.#saving.has(post)) return await this.#save(post);
    await this.#timed(kind === 7 ? this.#list(turn) : this.#read(turn));
  }

  async #save(post: number): Promise<void> {
    this.#saving.add(post);
    const { token } = this.#place.people[post % this.#place.people.length]!;
    const blocks = [{ type: "paragraph", data: { text: `Words of ${performance.now()}.` } }];
    await this.#timed({ method: "PUT", path: `/api/posts/${this.#place.postIds[post]!}`, token, body: { blocks } });
    this.#saving.delete(post);
  }

  #list(turn: number): Call {
    const { token } = this.#place.people[turn % this.#place.people.length]!;
    return { method: "GET", path: `/api/workspaces/${this.#place.workspaceId}/posts`, token };
  }

  #read(turn: number): Call {
    const { subdomain, slugs } = this.#place;
    const paths = ["/releases", `/releases/${slugs[turn % slugs.length]!}`, "/releases.json", "/releases/widget.json"];
    return { method: "GET", path: paths[turn % paths.length]!, host: `${subdomain}.localhost:${this.#stack.ports.gateway}` };
  }

  async #timed(call: Call): Promise<void> {
    const began = performance.now();
    const status = await this.#send(call).catch(() => 0);
    this.#times.push(performance.now() - began);
    if (status === 200) return;
    const fault = `${call.method} ${status}`;
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }

  #send({ method, path, host, token, body }: Call): Promise<number> {
    const text = body && JSON.stringify(body);
    const headers = {
      host: host ?? `localhost:${this.#stack.ports.gateway}`,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: "127.0.0.1", port: this.#stack.ports.gateway, method, path, headers, agent: this.#agent, timeout: 15_000 },
        (answer) => answer.resume().once("end", () => resolve(answer.statusCode ?? 0)),
      );
      request.once("timeout", () => request.destroy(new Error("no answer")));
      request.once("error", reject);
      request.end(text);
    });
  }
}
