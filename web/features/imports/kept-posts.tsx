import { useState } from "react";
import { Link } from "react-router-dom";
import { type ImportedEntry, importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { Text } from "../../ui/layout.tsx";
import { call } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { errorMessage } from "./failures.ts";

/** Imported posts that remain after undo because they were edited since. The server doesn't say which overwritten posts were restored. */
export async function keptPosts(workspaceId: string, id: string): Promise<(ImportedEntry & { post_id: string })[]> {
  const { entries } = await call(importEndpoints.read, { params: { workspaceId, id } });
  return entries.flatMap((entry) => (entry.outcome === "made" && entry.post_id !== null ? { ...entry, post_id: entry.post_id } : []));
}

const maxTitles = 3;

/** Titles in parentheses, ` (“A”, “B” and 2 more)`, or "". */
export function formatTitles(posts: readonly Pick<ImportedEntry, "title">[], count: number): string {
  const names = posts.slice(0, maxTitles).map(({ title }) => `“${title}”`);
  if (names.length === 0) return "";
  const more = count - names.length;
  return ` (${names.join(", ")}${more > 0 ? ` and ${more.toLocaleString()} more` : ""})`;
}

interface KeptPostsListProps {
  workspaceId: string;
  imported: WorkspaceImport;
}

/** Posts kept after undo, loaded on demand. */
export function KeptPostsList({ workspaceId, imported: { id, name, left } }: KeptPostsListProps) {
  const [posts, setPosts] = useState<Awaited<ReturnType<typeof keptPosts>>>();
  const [busy, setBusy] = useState(false);

  async function show() {
    setBusy(true);
    try {
      setPosts(await keptPosts(workspaceId, id));
    } catch (error) {
      toasts.error("Couldn't load the kept posts", errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  if (posts === undefined) {
    return (
      <Button variant="quiet" size="small" busy={busy} aria-label={`Show kept posts of ${name}`} onClick={() => void show()}>
        Show kept posts
      </Button>
    );
  }
  const others = left - posts.length;
  return (
    <Text as="ul" size="small" aria-label={`Kept posts of ${name}`}>
      {posts.map(({ post_id, title }) => (
        <li key={post_id}>
          <Link to={paths.editPost(workspaceId, post_id)}>{title}</Link>
        </li>
      ))}
      {others > 0 && <li>{others.toLocaleString()} deleted since, or already here before the import</li>}
    </Text>
  );
}
