import http from "node:http";
import { crc32 } from "node:zlib";
import { speakWithoutPause } from "./sockets.ts";

/** The workspace of somebody who wants everybody to wait, with accounts to do it. */
export interface Attacker {
  port: number;
  publishableKey: string;
  workspaceId: string;
  subdomain: string;
  tokens: string[];
  /** As long as a post may be, published. */
  longPosts: { id: string; slug: string }[];
  /** A short one, whose changes make every page of the workspace a new one. */
  shortPost: string;
  /** Of the workspace that minds its own business: its pages are there for attackers, too. */
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

/** Attackers have addresses of their own: another one of this machine, which Linux has without being told. */
const localAddress = process.platform === "linux" ? "127.0.0.2" : undefined;
const agent = new http.Agent({ keepAlive: true, maxSockets: 100, localAddress });

interface Answer {
  status: number;
  bytes: number;
}

function send(attacker: Attacker, { method = "GET", path, host = "localhost", token, body, headers = {} }: Call): Promise<Answer> {
  const all = {
    host: `${host}:${attacker.port}`,
    ...(token && { authorization: `Bearer ${token}`, apikey: attacker.publishableKey }),
    ...(body !== undefined && { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return new Promise((resolve) => {
    let bytes = 0;
    const request = http.request({ host: "127.0.0.1", port: attacker.port, agent, method, path, headers: all }, (answer) => {
      answer.on("data", (chunk: Buffer) => (bytes += chunk.length));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, bytes }));
      answer.on("error", () => resolve({ status: 0, bytes }));
    });
    request.on("error", () => resolve({ status: 0, bytes })).end(body);
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
/** A file that begins as a picture and is none, and one of the parts that a picture has, all well formed. */
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

/** What each attack sends again and again, `at` counting up; `at` is also whose turn it is. */
type Attack = (attacker: Attacker) => { connections: number; call: (at: number) => Call };

/** Words that hardly come again, so that packing them takes longest; the same in each run. */
const words = (letters: number): string => {
  let [text, state] = ["", 1];
  while (text.length < letters) text += `${(state = (state * 48_271) % 2_147_483_647).toString(36)} `;
  return text.slice(0, letters);
};
/** Content that is as long as a post may be: half of it characters that become most on a page, half words that are packed worst. */
export const longest = [...paragraphs(3, "&lt;".repeat(12_000)), ...paragraphs(3, words(48_000))];
const differently = (at: number) => JSON.stringify({ blocks: [...longest.slice(0, 5), ...paragraphs(1, `${at}`)] });
const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

const uploads =
  (file: (bytes: number) => Buffer): Attack =>
  ({ workspaceId, tokens }) => {
    const { body, type } = multipart(file(5_200_000));
    return {
      connections: 20,
      call: (at) => ({
        method: "POST",
        path:
          at % 2 === 0
            ? `/api/workspaces/${workspaceId}/editor/image-upload`
            : `/storage/v1/object/post-images/${workspaceId}/${crypto.randomUUID()}.png`,
        token: turn(tokens, at),
        body,
        headers: { "content-type": type },
      }),
    };
  };

/** All posts of the workspace for each of a million paths: REST nests what it embeds as deep as anybody asks. */
const postsOfPostsOfPosts = Array.from({ length: 4 }).reduce<string>(
  (inner) => `id,workspaces!posts_workspace_id_fkey(posts!posts_workspace_id_fkey(${inner}))`,
  "id",
);

const feeds = ["/releases/rss.xml", "/releases/atom.xml", "/releases.feed.json"];

const attacks: Record<string, Attack> = {
  "anybody reads feeds of the longest posts, which change all the time": ({ subdomain, tokens, shortPost }) => ({
    connections: 30,
    call: (at) =>
      at % 10 === 0
        ? { method: "PUT", path: `/api/posts/${shortPost}`, token: turn(tokens, at / 10), body: JSON.stringify({ title: `Short ${at}` }) }
        : { path: turn(feeds, at), host: `${subdomain}.localhost`, headers: { "accept-encoding": "gzip, br" } },
  }),
  "anybody reads the longest posts in every form, which change all the time": ({ subdomain, longPosts, tokens, shortPost }) => ({
    connections: 30,
    call: (at) =>
      at % 10 === 0
        ? { method: "PUT", path: `/api/posts/${shortPost}`, token: turn(tokens, at / 10), body: JSON.stringify({ title: `Short ${at}` }) }
        : {
            path: `/releases/${turn(longPosts, at).slug}${turn(["", ".md", ".json", ".widget.json"], at)}`,
            host: `${subdomain}.localhost`,
          },
  }),
  "ten people save posts of 1.9 million '<'": ({ workspaceId, tokens }) => ({
    connections: 30,
    call: (at) => ({
      method: "POST",
      path: "/api/posts",
      token: turn(tokens, at),
      body: JSON.stringify({ title: "x", workspace_id: workspaceId, blocks: paragraphs(1, "<".repeat(1_900_000)) }),
    }),
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
  "ten people read the longest posts": ({ longPosts, tokens }) => ({
    connections: 30,
    call: (at) => ({ path: `/api/posts/${turn(longPosts, at).id}`, token: turn(tokens, at) }),
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
  "ten people save long posts past the API": ({ longPosts, tokens }) => ({
    connections: 30,
    call: (at) => ({
      method: "POST",
      path: "/rest/v1/rpc/save_post",
      token: turn(tokens, at),
      body: JSON.stringify({
        post_id: turn(longPosts, at).id,
        patch: { content_raw: { blocks: paragraphs(at % 2 === 0 ? 6 : 38, `${at}${"&lt;".repeat(12_000)}`) } },
      }),
    }),
  }),
  "ten people read all posts and their history past the API": ({ tokens }) => ({
    connections: 10,
    call: (at) => ({ path: turn(["/rest/v1/posts?select=*", "/rest/v1/post_revisions?select=*"], at), token: turn(tokens, at) }),
  }),
  "ten people call what is quick past the API, six at a time each": ({ workspaceId, tokens }) => ({
    connections: 60,
    call: (at) => ({
      method: "POST",
      path: turn(["/rest/v1/rpc/dashboard", "/rest/v1/rpc/search_posts"], at),
      token: turn(tokens, at),
      body: JSON.stringify(at % 2 === 0 ? { workspace_id: workspaceId } : { workspace_id: workspaceId, term: `lt a ${at}` }),
    }),
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
  "ten people call what is quick of the API, six at a time each": ({ workspaceId, tokens }) => ({
    connections: 60,
    call: (at) => ({
      path: turn(
        [`/api/dashboard/${workspaceId}/all`, `/api/workspaces/${workspaceId}/posts?limit=100`, `/api/team/${workspaceId}/team`],
        at,
      ),
      token: turn(tokens, at),
    }),
  }),
  "ten people list their files past the API, six at a time each": ({ workspaceId, tokens }) => ({
    connections: 60,
    call: (at) => ({
      method: "POST",
      path: "/storage/v1/object/list/post-images",
      token: turn(tokens, at),
      body: JSON.stringify({ prefix: workspaceId, limit: 100_000, search: "a" }),
    }),
  }),
  "ten people have pictures of links drawn, six at a time each": ({ workspaceId, tokens }) => ({
    connections: 60,
    call: (at) => ({
      path: `/api/workspaces/${workspaceId}/posts/preview/picture?title=Words+that+are+new+${at}`,
      token: turn(tokens, at),
    }),
  }),
  "anybody asks for pages of hosts that are nobody's": () => ({
    connections: 60,
    call: (at) => ({ path: "/releases", host: `nobody-${at}.localhost` }),
  }),
  "ten people upload five megabytes": uploads(files.broken),
  "ten people upload whole pictures of five megabytes": uploads(files.whole),
  "anybody searches": ({ subdomain, workspaceId, tokens }) => ({
    connections: 30,
    call: (at) =>
      at % 3 === 0
        ? { path: `/api/workspaces/${workspaceId}/posts/search?q=lt+${at}&limit=50`, token: turn(tokens, at) }
        : { path: `/releases?q=lt+${"a+".repeat(40)}${at}`, host: `${subdomain}.localhost` },
  }),
  "anybody subscribes to the neighbour's posts": ({ neighbour }) => ({
    connections: 60,
    call: (at) => ({
      method: "POST",
      path: "/releases/subscribe",
      host: `${neighbour}.localhost`,
      body: `email=reader${at}%40example.com`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
  }),
  "anybody searches where the neighbour's readers are": ({ neighbour }) => ({
    connections: 60,
    call: (at) => ({ path: `/releases?q=words+${at}`, host: `${neighbour}.localhost` }),
  }),
};

/** What is not asked for by calls. No plain program is held against these: what they do to the machine by themselves is nothing beside it. */
const bySockets: Record<string, (attacker: Attacker, ms: number) => Promise<Record<string, number>>> = {
  "ten people speak in a post's channel without a pause": (attacker, ms) => speakWithoutPause(attacker, 60, ms, localAddress),
};

/** Whether no calls are sent: then nobody else asks the plain program either. */
export const isBySockets = (name: string): boolean => name in bySockets;
export const attackNames = [...Object.keys(attacks), ...Object.keys(bySockets)];

/** What was answered, in the order in which it was asked for. */
export interface Outcome {
  statuses: Record<string, number>;
  answers: Answer[];
}

/** Attacks for some time. */
export async function attack(attacker: Attacker, name: string, ms: number): Promise<Outcome> {
  const speak = bySockets[name];
  if (speak) return { statuses: await speak(attacker, ms), answers: [] };
  const { connections, call } = attacks[name]!(attacker);
  return await keepAsking(connections, ms, (at) => send(attacker, call(at)));
}

/** The same calls over as many connections, sent to the plain program, which answers as the product has answered and does nothing else. */
export async function loadPlainly(attacker: Attacker, name: string, ms: number, plainPort: number, answers: Answer[]): Promise<Outcome> {
  if (isBySockets(name)) return { statuses: {}, answers };
  const { connections, call } = attacks[name]!(attacker);
  return await keepAsking(answers.length === 0 ? 0 : connections, ms, (at) => {
    const { status, bytes } = turn(answers, at);
    return send({ ...attacker, port: plainPort }, { ...call(at), path: `/bytes/${status}/${bytes}` });
  });
}

async function keepAsking(connections: number, ms: number, ask: (at: number) => Promise<Answer>): Promise<Outcome> {
  const end = performance.now() + ms;
  const statuses: Record<string, number> = {};
  const answers: Answer[] = [];
  let at = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await Promise.race([ask(at++), left(end)]);
      const { status } = answer;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status > 0) answers.push(answer);
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 20)); // or this machine would be busy with refusals alone
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return { statuses, answers };
}

/** Nobody waits for an attack that is not answered. */
const left = (end: number): Promise<Answer> =>
  new Promise((resolve) => setTimeout(() => resolve({ status: -1, bytes: 0 }), Math.max(0, end - performance.now())).unref());
