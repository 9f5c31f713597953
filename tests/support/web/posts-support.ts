import { noDetails } from "#contract/rules/post-details.ts";
import "fake-indexeddb/auto";
import { vi } from "vitest";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { Post, PostList, PostSummary } from "#contract/posts.ts";
import type { Revision } from "#contract/revisions.ts";
import type { MountedEditor, MountOptions } from "../../../web/features/editor/mount-editor.ts";
import { acme, draft, ids, signedIn } from "./fixtures.ts";

/** A fake of Editor.js, which needs a real browser (see tests/e2e): one paragraph in a text area called "Body". */
export function fakeMountEditor({ holder, content, readOnly, onChange }: MountOptions): MountedEditor {
  const area = document.createElement("textarea");
  area.setAttribute("aria-label", "Body");
  area.readOnly = readOnly;
  area.value = blocksToText(cleanBlocks(content));
  area.addEventListener("input", onChange);
  holder.append(area);
  return {
    ready: Promise.resolve(),
    read: async () => ({ time: 1, blocks: area.value === "" ? [] : [{ id: "body", type: "paragraph", data: { text: area.value } }] }),
    replace: async (next) => {
      area.value = blocksToText(cleanBlocks(next));
    },
    show: async (next, from) => {
      if (from && area.value !== blocksToText(cleanBlocks(from))) return false;
      area.value = blocksToText(cleanBlocks(next));
      return true;
    },
    setReadOnly: async (value) => {
      area.readOnly = value;
    },
    focus: (typed = "") => {
      area.focus();
      area.value = typed + area.value;
      if (typed) area.dispatchEvent(new Event("input"));
    },
    writeBelow: (_, words) => {
      area.value += `\n${words}`;
      area.dispatchEvent(new Event("input"));
    },
    step: () => {},
    destroy: () => holder.remove(),
  };
}

export const paragraph = (text: string) =>
  JSON.stringify({ time: 1, blocks: [{ id: "body", type: "paragraph", data: { text } }], version: "2.28.2" });

export const fullPost = (fields: Partial<Post> = {}): Post => ({
  ...draft,
  author: null,
  author_id: draft.created_by,
  cover_image: null,
  details: noDetails,
  content_raw: paragraph("Twice as fast."),
  content_md: "<p>Twice as fast.</p>",
  public_changelog_enabled: true,
  updated_by_name: "Grace Hopper",
  requests: [],
  ...fields,
});

export const revisionOf = ({
  version,
  title,
  summary,
  status,
  tags,
  cover_image,
  details,
  content_raw,
  content_md,
  created_at,
}: Post): Revision => ({
  ...{ version, title, summary, status, tags, cover_image, details, content_raw, content_md, created_at },
  ...{ author_id: null, author_name: null, post_author_name: null, published_at: null },
});

export const postId = (number: number): string => `44444444-4444-4444-8444-${String(number).padStart(12, "0")}`;

export const summary = (number: number, fields: Partial<PostSummary> = {}): PostSummary => ({
  ...draft,
  id: postId(number),
  title: `Post ${number}`,
  slug: `post-${number}`,
  ...fields,
});

export const listOf = (posts: PostSummary[], page = 1, pages = 1): PostList => ({
  posts,
  pagination: { page, pages, total: posts.length },
});

export const paths = {
  changelog: `/workspace/${ids.acme}/changelog`,
  create: `/workspace/${ids.acme}/changelog/new`,
  edit: (id: string = ids.post) => `/workspace/${ids.acme}/changelog/edit/${id}`,
};

export const changelogStubs = (post: Post = fullPost(), role: (typeof acme)["role"] = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/workspaces/*/posts": listOf([post]),
  "GET /api/posts/*": { post },
});

export class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 1;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    FakeSocket.made.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close(code = 1000) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

export function stubSockets(): void {
  FakeSocket.made = [];
  vi.stubGlobal("WebSocket", FakeSocket);
}

export async function forgetDrafts(): Promise<void> {
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("tidings");
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error);
  });
}
