import { useState } from "react";
import type { PreviewLink } from "#contract/preview-links.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { moment } from "../../../lib/moment.ts";
import { toasts } from "../../../lib/toasts.ts";
import css from "./share-dialog.module.css";

interface LinkRowProps {
  link: PreviewLink;
  now: Date;
  isNew: boolean;
  revoke(): Promise<void>;
}

/** One link: who made it, when, until when; and one question before it ends, because it may stand in somebody's mail. */
export function LinkRow({ link, now, isNew, revoke }: LinkRowProps) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const made = relativeTime(link.created_at, now);
  const maker = link.created_by_name ?? "Someone";

  async function end() {
    setBusy(true);
    try {
      await revoke();
      toasts.success("Link revoked", "It opens nothing any more");
    } catch (error) {
      setBusy(false);
      toasts.error("The link was not revoked", error instanceof ApiError ? error.message : "Please try again later");
    }
  }

  return (
    <li className={css.row}>
      <div className={css.facts}>
        <span>
          {isNew && <strong>New: </strong>}
          <bdi>{maker}</bdi> · <time dateTime={link.created_at}>{made}</time>
        </span>
        <span className={css.until}>
          Until <time dateTime={link.expires_at}>{moment(link.expires_at)}</time>
          {link.allows_comments && " · readers may comment"}
        </span>
      </div>
      {asks ? (
        <div className={css.question} role="group" aria-label={`Revoke the link of ${maker}, ${made}?`}>
          <span>Whoever has it reads no more.</span>
          <Button size="small" autoFocus onClick={() => setAsks(false)}>
            Keep
          </Button>
          <Button size="small" variant="danger" busy={busy} onClick={() => void end()}>
            Revoke
          </Button>
        </div>
      ) : (
        <div className={css.actions}>
          <CopyButton text={link.url} what={`the link of ${maker}, ${made}`} />
          <Button size="small" variant="quietDanger" aria-label={`Revoke the link of ${maker}, ${made}`} onClick={() => setAsks(true)}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}
