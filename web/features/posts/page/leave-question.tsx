import { useState } from "react";
import { LeaveDialog } from "../../../components/leave-dialog.tsx";
import type { PostSession, PostView } from "../session/session.ts";
import type { Leaving } from "./use-leave-guard.ts";

/** What becomes of the changes that could not be saved by themselves before the person leaves. */
export function LeaveQuestion({ session, view, leaving }: { session: PostSession; view: PostView; leaving: Leaving }) {
  const { savesItself, title, uploading, busy } = view;
  const [failed, setFailed] = useState(false);
  const lacksTitle = !savesItself && title.trim() === "";

  async function leave() {
    await session.letGo();
    leaving.leave();
  }
  async function save() {
    if (await (savesItself ? session.keep() : session.write({ kind: "save" }))) return leaving.leave();
    if (savesItself) setFailed(true); // nobody was told
    else leaving.stay();
  }

  return (
    <LeaveDialog
      busy={busy !== null}
      onStay={leaving.stay}
      onLeave={() => void leave()}
      onSave={lacksTitle ? undefined : () => void save()}
    >
      {failed && "The server does not answer. "}
      This post has changes that are not saved{lacksTitle && ", and without a title they cannot be"}. If you leave, they stay on this device
      and are offered when you open the post again
      {uploading && ", without the image that is still on its way"}.
    </LeaveDialog>
  );
}
