import { useState } from "react";
import { LeaveDialog } from "../../../ui/leave-dialog.tsx";
import type { PostSession, PostView } from "../../session/session.ts";
import type { Leaving } from "./use-leave-guard.ts";

export function LeaveQuestion({ session, view, leaving }: { session: PostSession; view: PostView; leaving: Leaving }) {
  const { autosaves, title, uploading, busy, draftProblem } = view;
  const [failed, setFailed] = useState(false);
  const lacksTitle = !autosaves && title.trim() === "";

  async function leave() {
    await session.abandonChanges();
    leaving.leave();
  }
  async function save() {
    if (await (autosaves ? session.autosave() : session.write({ kind: "save" }))) return leaving.leave();
    if (autosaves) setFailed(true);
    else leaving.stay();
  }

  return (
    <LeaveDialog
      busy={busy !== null}
      onStay={leaving.stay}
      onLeave={() => void leave()}
      onSave={lacksTitle ? undefined : () => void save()}
    >
      {failed && "Couldn't reach the server. "}
      This post has unsaved changes{lacksTitle && " and needs a title to be saved"}.{" "}
      {draftProblem === null
        ? `If you leave, we keep them on this device and offer them when you open the post again${uploading ? ", without the image that's still uploading" : ""}.`
        : "We couldn't keep a copy on this device. If you leave, they are lost."}
    </LeaveDialog>
  );
}
