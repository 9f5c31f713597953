import { useState } from "react";
import { useLocation, useParams } from "react-router-dom";
import { useChangelogArea } from "./area-context.ts";
import { OpenPost } from "./open-post.tsx";

/** The router state that keeps one editor on the screen while a new post gets its address. */
export interface EditorLocationState {
  editorKey?: string;
}

/** Writes a new post or edits one. Another post is another visit with an editor of its own. */
export function Component() {
  const { postId } = useParams();
  const location = useLocation();
  const area = useChangelogArea();
  const [visit, setVisit] = useState(0);
  const id = postId === undefined || postId === "new" ? null : postId;
  const kept = (location.state as EditorLocationState | null)?.editorKey;
  const editorKey = kept ?? id ?? `new:${location.key}`;
  return (
    <OpenPost
      key={`${editorKey}#${visit}`}
      postId={id}
      editorKey={editorKey}
      area={area}
      pathname={location.pathname}
      onReopen={() => setVisit(visit + 1)}
    />
  );
}
