import { useState } from "react";
import { Link } from "react-router-dom";
import { type ImportedEntry, importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { call } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { sentenceOf } from "./failures.ts";
import css from "./import-history.module.css";

/**
 * Posts that an import made and that are there still after it was taken back, because somebody has changed them. Of those whose place it took the
 * server does not say which are as before.
 */
export async function stayedPosts(workspaceId: string, id: string): Promise<(ImportedEntry & { post_id: string })[]> {
  const { entries } = await call(importEndpoints.read, { params: { workspaceId, id } });
  return entries.flatMap((entry) => (entry.outcome === "made" && entry.post_id !== null ? { ...entry, post_id: entry.post_id } : []));
}

const namedAtMost = 3;

/** Titles in a sentence, ` (“A”, “B” and 2 more)`; "" where none is known. */
export function stayedWords(posts: readonly Pick<ImportedEntry, "title">[], count: number): string {
  const names = posts.slice(0, namedAtMost).map(({ title }) => `“${title}”`);
  if (names.length === 0) return "";
  const more = count - names.length;
  return ` (${names.join(", ")}${more > 0 ? ` and ${more.toLocaleString()} more` : ""})`;
}

interface StayedListProps {
  workspaceId: string;
  imported: WorkspaceImport;
}

/** Which posts of an import stayed when it was taken back; asked for when somebody wants to know. */
export function StayedList({ workspaceId, imported: { id, name, left } }: StayedListProps) {
  const [posts, setPosts] = useState<Awaited<ReturnType<typeof stayedPosts>>>();
  const [busy, setBusy] = useState(false);

  async function show() {
    setBusy(true);
    try {
      setPosts(await stayedPosts(workspaceId, id));
    } catch (error) {
      toasts.error("The posts that stayed could not be read", sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (posts === undefined) {
    return (
      <Button variant="quiet" size="small" busy={busy} aria-label={`Show what stayed of ${name}`} onClick={() => void show()}>
        Show what stayed
      </Button>
    );
  }
  const others = left - posts.length;
  return (
    <ul className={css.stayed} aria-label={`What stayed of ${name}`}>
      {posts.map(({ post_id, title }) => (
        <li key={post_id}>
          <Link to={paths.editPost(workspaceId, post_id)}>{title}</Link>
        </li>
      ))}
      {others > 0 && <li>{others.toLocaleString()} deleted since, or here before the import</li>}
    </ul>
  );
}
