import { useState } from "react";
import { useLocation } from "react-router-dom";
import { useChangelogArea } from "../features/editor/page/area-context.ts";
import { visitAt, type EditorVisit } from "../features/editor/page/editor-visit.ts";
import { OpenPost } from "../features/editor/page/open-post.tsx";

export { preloadEditor } from "../features/editor/post-body.tsx";

/** Editor for a new or existing post; each visit gets its own editor. */
export function Component() {
  const location = useLocation();
  const area = useChangelogArea();
  const [reopened, setReopened] = useState(0);
  const [present, setPresent] = useState<EditorVisit | null>(null);
  const visit = visitAt(location, present);
  if (visit?.key !== present?.key || visit?.postId !== present?.postId) setPresent(visit);
  if (!visit) return null;
  return <OpenPost key={`${visit.key}#${reopened}`} visit={visit} area={area} onReopen={() => setReopened(reopened + 1)} />;
}
