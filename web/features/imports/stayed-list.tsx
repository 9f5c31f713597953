import { useState } from "react";
import { Link } from "react-router-dom";
import type { WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { sentenceOf } from "./sentence.ts";
import { stayedPosts } from "./stayed.ts";
import css from "./import-history.module.css";

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
