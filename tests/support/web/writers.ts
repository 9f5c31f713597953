import { setMaxListeners } from "node:events";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { Block, EditorOutput } from "#contract/blocks/schema.ts";
import type { ErrorBody, ErrorCode } from "#contract/errors.ts";
import type { Post } from "#contract/posts.ts";
import type { Revision } from "#contract/revisions.ts";
import { ApiError } from "../../../web/lib/api-client.ts";
import { PostSession, type BodyEditor, type Calls } from "../../../web/features/session/session.ts";

export interface Caller {
  send(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown }>;
}

/** Browser APIs that a session listens to and Node doesn't have. */
export function standInForBrowser(): void {
  const [window, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: "visible" })];
  setMaxListeners(0, window, document);
  Object.assign(globalThis, { window, document, reportError: (error: unknown) => console.error(error) });
}

export interface Writer {
  session: PostSession;
  blocks: Block[];
  type(id: string, text: string): void;
  text(id: string): string | undefined;
  leave(): void;
}

export function openWriter(caller: Caller, opened: Post, userId: string, onSaved: (post: Post) => void): Writer {
  const ask = async <Body>(method: string, path: string, body?: unknown, key?: string): Promise<Body> => {
    const answer = await caller.send(method, path, { body, ...(key && { headers: { "idempotency-key": key } }) });
    if (answer.status < 300) return answer.body as Body;
    const { code, error, ...rest } = answer.body as ErrorBody;
    throw new ApiError(answer.status, code as ErrorCode, error, rest);
  };
  const posts = `/api/posts`;
  const saved = ({ post }: { post: Post }) => {
    onSaved(post);
    return post;
  };
  const calls: Calls = {
    create: async (body, key) => saved(await ask<{ post: Post }>("POST", posts, body, key)),
    update: async (id, body, key) => saved(await ask<{ post: Post }>("PUT", `${posts}/${id}`, body, key)),
    read: async (id) => (await ask<{ post: Post }>("GET", `${posts}/${id}`)).post,
    check: async (id, version) => (await ask<{ isCurrent: boolean }>("GET", `${posts}/${id}/version?version=${version}`)).isCurrent,
    revision: async (id, version) => (await ask<{ revision: Revision }>("GET", `${posts}/${id}/revisions/${version}`)).revision,
  };
  const writer = { blocks: [] as Block[] };
  const now = () => cleanBlocks(structuredClone(writer.blocks));
  const put = (content: EditorOutput) => (writer.blocks = structuredClone(content.blocks));
  const editor: BodyEditor = {
    read: async () => now(),
    replace: async (content) => void put(content),
    show: async (content, from) => {
      if (from && JSON.stringify(from.blocks) !== JSON.stringify(now().blocks)) return false;
      put(content);
      return true;
    },
    settled: async () => undefined,
  };
  const clock = {
    now: () => new Date(),
    after: (ms: number, work: () => void) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  const session = new PostSession(
    { workspaceId: opened.workspace_id, userId, opened, body: { current: editor }, onCreated: () => undefined },
    clock,
    calls,
  );
  put(session.initialContent);
  const leave = session.enter();
  const find = (id: string) => writer.blocks.find((block) => block.id === id) as (Block & { type: "paragraph" }) | undefined;
  return Object.assign(writer, {
    session,
    leave,
    text: (id: string) => find(id)?.data.text,
    type: (id: string, text: string) => {
      const block = find(id);
      if (!block) throw new Error(`${userId} has no block ${id}`);
      block.data = { ...block.data, text };
      session.bodyChanged();
    },
  });
}
