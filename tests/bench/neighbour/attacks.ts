import http from "node:http";
import { crc32 } from "node:zlib";
import { speakWithoutPause } from "./sockets.ts";

export interface Attacker {
  port: number;
  publishableKey: string;
  workspaceId: string;
  subdomain: string;
  tokens: string[];
  longPosts: { id: string; slug: string }[];
  shortPost: string;
  neighbour: string;
}

interface Call {
  method?: string;
  path: string;
  host?: string;
  token?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** Another IP address of this machine, as attackers have; Linux needs no setup for it. */
const localAddress = process.platform === "linux" ? "127.0.0.2" : undefined;
const agent = new http.Agent({ keepAlive: true, maxSockets: 100, localAddress });

function send(attacker: Attacker, { method = "GET", path, host = "localhost", token, body, headers = {} }: Call): Promise<number> {
  const all = {
    host: `${host}:${attacker.port}`,
    ...(token && { authorization: `Bearer ${token}`, apikey: attacker.publishableKey }),
    ...(body !== undefined && { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return new Promise((resolve) => {
    const request = http.request({ host: "127.0.0.1", port: attacker.port, agent, method, path, headers: all }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", () => resolve(0));
    });
    request.on("error", () => resolve(0)).end(body);
  });
}

const paragraphs = (count: number, text: string) => Array.from({ length: count }, () => ({ type: "paragraph", data: { text } }));
const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};
const header = chunk("IHDR", Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0]));
const files = {
  broken: (bytes: number) => Buffer.concat([signature, header], bytes),
  whole: (bytes: number) =>
    Buffer.concat([
      signature,
      header,
      ...Array.from({ length: 160 }, () => chunk("IDAT", Buffer.alloc(bytes / 160, 7))),
      chunk("IEND", Buffer.alloc(0)),
    ]),
};
const multipart = (file: Buffer): { body: Buffer; type: string } => {
  const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="x.png"\r\ncontent-type: image/png\r\n\r\n';
  return { body: Buffer.concat([Buffer.from(head), file, Buffer.from("\r\n--b--\r\n")]), type: "multipart/form-data; boundary=b" };
};

/** The requests of each attack; `at` is a counter and also selects the account. */
type Attack = (attacker: Attacker) => { connections: number; call: (at: number) => Call };

/** Words that rarely repeat, so compression is slowest; the same in each run. */
const words = (letters: number): string => {
  let [text, state] = ["", 1];
  while (text.length < letters) text += `${(state = (state * 48_271) % 2_147_483_647).toString(36)} `;
  return text.slice(0, letters);
};
/** Content of the maximum length: half characters with the longest escapes, half words that compress worst. */
export const longest = [...paragraphs(3, "&lt;".repeat(12_000)), ...paragraphs(3, words(48_000))];
const differently = (at: number) => JSON.stringify({ blocks: [...longest.slice(0, 5), ...paragraphs(1, `${at}`)] });
const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

/** Deeply nested REST embeds: all posts of the workspace for each of a million paths. */
const postsOfPostsOfPosts = Array.from({ length: 4 }).reduce<string>(
  (inner) => `id,workspaces!posts_workspace_id_fkey(posts!posts_workspace_id_fkey(${inner}))`,
  "id",
);

const feeds = ["/releases/rss.xml", "/releases/atom.xml", "/releases.feed.json"];

const attacks: Record<string, Attack> = {
  "a stranger reads the longest posts and feeds, which keep changing": ({ subdomain, longPosts, tokens, shortPost }) => ({
    connections: 30,
    call: (at) =>
      at % 10 === 0
        ? { method: "PUT", path: `/api/posts/${shortPost}`, token: turn(tokens, at / 10), body: JSON.stringify({ title: `Short ${at}` }) }
        : {
            path: turn([...feeds, ...["", ".md", ".json"].map((form) => `/releases/${turn(longPosts, at).slug}${form}`)], at),
            host: `${subdomain}.localhost`,
            headers: { "accept-encoding": "gzip, br" },
          },
  }),
  "ten people save the longest posts that there may be": ({ longPosts, tokens }) => ({
    connections: 30,
    call: (at) => ({
      method: "PUT",
      path: `/api/posts/${turn(longPosts, at).id}`,
      token: turn(tokens, at),
      body: JSON.stringify({ content_raw: differently(at) }),
    }),
  }),
  "ten people send JSON of half a million lists": ({ tokens }) => ({
    connections: 30,
    call: (at) => ({
      method: "POST",
      path: turn(["/api/posts", "/rest/v1/rpc/save_post"], at),
      token: turn(tokens, at),
      body: `{"patch":{"blocks":[${"[],".repeat(600_000)}1]}}`,
    }),
  }),
  "ten people read all posts and their history past the API": ({ tokens }) => ({
    connections: 10,
    call: (at) => ({ path: turn(["/rest/v1/posts?select=*", "/rest/v1/post_revisions?select=*"], at), token: turn(tokens, at) }),
  }),
  "ten people ask past the API for what takes seconds, six at a time each": ({ workspaceId, tokens }) => ({
    connections: 60,
    call: (at) =>
      at % 2 === 0
        ? { path: `/rest/v1/posts?select=${postsOfPostsOfPosts}&limit=1`, token: turn(tokens, Math.floor(at / 2)) }
        : {
            method: "POST",
            path: `/rest/v1/rpc/search_posts?select=${postsOfPostsOfPosts}&limit=1`,
            token: turn(tokens, Math.floor(at / 2)),
            body: JSON.stringify({ workspace_id: workspaceId, term: "lt a" }),
          },
  }),
  "ten people upload five megabytes": ({ workspaceId, tokens }) => {
    const bodies = [files.broken(5_200_000), files.whole(5_200_000)].map(multipart);
    return {
      connections: 20,
      call: (at) => ({
        method: "POST",
        path:
          at % 4 < 2
            ? `/api/workspaces/${workspaceId}/editor/image-upload`
            : `/storage/v1/object/post-images/${workspaceId}/${crypto.randomUUID()}.png`,
        token: turn(tokens, at),
        body: turn(bodies, at).body,
        headers: { "content-type": turn(bodies, at).type },
      }),
    };
  },
  "a stranger searches the neighbour's pages": ({ neighbour }) => ({
    connections: 60,
    call: (at) => ({ path: `/releases?q=words+${at}`, host: `${neighbour}.localhost` }),
  }),
};

const bySockets: Record<string, (attacker: Attacker, ms: number) => Promise<Record<string, number>>> = {
  "ten people speak in a post's channel without a pause": (attacker, ms) => speakWithoutPause(attacker, 60, ms, localAddress),
};

export const attackNames = [...Object.keys(attacks), ...Object.keys(bySockets)];

export type Outcome = Record<string, number>;

export async function attack(attacker: Attacker, name: string, ms: number): Promise<Outcome> {
  const speak = bySockets[name];
  if (speak) return await speak(attacker, ms);
  const { connections, call } = attacks[name]!(attacker);
  return await keepAsking(connections, ms, (at) => send(attacker, call(at)));
}

async function keepAsking(connections: number, ms: number, ask: (at: number) => Promise<number>): Promise<Outcome> {
  const end = performance.now() + ms;
  const statuses: Outcome = {};
  let at = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const status = await Promise.race([ask(at++), left(end)]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return statuses;
}

const left = (end: number): Promise<number> =>
  new Promise((resolve) => setTimeout(() => resolve(-1), Math.max(0, end - performance.now())).unref());
