import type { Location } from "react-router-dom";

/** The router state that keeps one editor on the screen while a new post gets its address. */
export interface EditorLocationState {
  editorKey?: string;
}

/** One stay at one post: as long as its key is the same, the same editor is on the screen. */
export interface EditorVisit {
  key: string;
  /** Null while the post is new. */
  postId: string | null;
}

const editorPath = /\/changelog\/(?:new|edit\/([^/]+))\/?$/;

/** The visit that a location means, given the one there is; null when it has no editor. */
export function visitAt({ pathname, hash, key, state }: Location, present: EditorVisit | null): EditorVisit | null {
  const match = editorPath.exec(pathname);
  if (!match) return null;
  const postId = match[1] === undefined || match[1] === "new" ? null : match[1];
  const given = (state as EditorLocationState | null)?.editorKey;
  if (given !== undefined) return { key: given, postId };
  // Its own entry in the list, or a link to a part of the page.
  const stays = present?.postId === postId && (postId !== null || hash !== "");
  return { key: stays ? present.key : (postId ?? `new:${key}`), postId };
}
