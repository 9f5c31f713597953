import { useCallback, useEffect, useState } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { postMarkdown } from "../editor/toolbar/post-markdown.ts";
import { orphanedDrafts } from "./draft-session.ts";
import { deleteDraft, draftsIn, type LocalDraft } from "./draft-store.ts";
import css from "./kept-texts.module.css";

export function KeptTexts({ workspaceId, userId }: { workspaceId: string; userId: string }) {
  const [texts, setTexts] = useState<readonly LocalDraft[]>([]);
  const load = useCallback(() => orphanedDrafts(draftsIn(workspaceId, userId)).then(setTexts, () => {}), [workspaceId, userId]);
  useEffect(() => void load(), [load]);
  if (texts.length === 0) return null;
  return (
    <section className={css.kept} aria-labelledby="kept-texts">
      <h2 id="kept-texts">Your unsaved text</h2>
      <p>You have unsaved changes on this device.</p>
      <ul role="list">
        {texts.map((draft) => (
          <li key={draft.sessionId} className={css.text}>
            <span className={css.title}>{draft.title.trim() || "Untitled"}</span>
            <span className={css.when}>{relativeTime(new Date(draft.savedAt), new Date())}</span>
            <CopyButton label={`${draft.title.trim() || "Untitled"} as Markdown`} text={postMarkdown(draft)} />
            <Button size="small" variant="quietDanger" onClick={() => void deleteDraft(draft.sessionId).then(load)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
