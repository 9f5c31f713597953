import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { type InviteTerms, useInvites } from "./use-invites.ts";
import { useCopied } from "./use-copied.ts";
import { InviteUrl } from "./invite-url.tsx";
import css from "./invite-dialog.module.css";

const failure = "Failed to generate invitation link";

/** Makes a link; once there is one, the button copies it. Source: specification, section 4 ("Invite dialog"). */
export function LinkInvitation({ workspaceId, terms }: { workspaceId: string; terms: InviteTerms }) {
  const { createLink } = useInvites(workspaceId);
  const [url, setUrl] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { copied, copy } = useCopied();

  async function generate() {
    if (workspaceId === "") return toasts.error(failure, "No workspace ID found");
    setBusy(true);
    try {
      setUrl((await createLink(terms)).url);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "unauthenticated")) toasts.error(failure, "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={css.link}>
      {url && <InviteUrl url={url} />}
      {url && <p className={css.note}>Works once, for whoever has it, for seven days.</p>}
      <Button
        variant="primary"
        icon={url ? (copied ? "check" : "copy") : "link"}
        busy={busy}
        wide
        onClick={() => void (url ? copy(url) : generate())}
      >
        <span aria-live="polite">{url ? (copied ? "Copied" : "Copy") : busy ? "Generating…" : "Generate link"}</span>
      </Button>
    </div>
  );
}
