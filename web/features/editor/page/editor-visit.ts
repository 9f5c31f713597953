import type { Location } from "react-router-dom";

/** Router state that keeps the editor mounted when a new post gets its URL. */
export interface EditorLocationState {
  editorKey?: string;
}

/** A visit of one post. The editor stays mounted while the key is the same. */
export interface EditorVisit {
  key: string;
  postId: string | null;
}

const editorPath = /\/changelog\/(?:new|edit\/([^/]+))\/?$/;

export function visitAt({ pathname, hash, key, state }: Location, present: EditorVisit | null): EditorVisit | null {
  const match = editorPath.exec(pathname);
  if (!match) return null;
  const postId = match[1] === undefined || match[1] === "new" ? null : match[1];
  const editorKey = (state as EditorLocationState | null)?.editorKey;
  if (editorKey !== undefined) return { key: editorKey, postId };
  const isSameVisit = present?.postId === postId && (postId !== null || hash !== "");
  return { key: isSameVisit ? present.key : (postId ?? `new:${key}`), postId };
}
