import { useState } from "react";
import type { PreviewLink } from "#contract/preview-links.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { moment } from "../../../lib/moment.ts";
import { toasts } from "../../../lib/toasts.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";

interface LinkRowProps {
  link: PreviewLink;
  now: Date;
  isNew: boolean;
  revoke(): Promise<void>;
}

export function LinkRow({ link, now, isNew, revoke }: LinkRowProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const createdAgo = relativeTime(link.created_at, now);
  const author = link.created_by_name ?? "Someone";

  async function onRevoke() {
    setBusy(true);
    try {
      await revoke();
      toasts.success("Link revoked", "The link no longer works");
    } catch (error) {
      setBusy(false);
      toasts.failure("Couldn't revoke the link", error);
    }
  }

  return (
    <Row as="li" justify="between" style={{ paddingBlock: "var(--space-3)" }}>
      <Stack gap={0}>
        <Text as="span">
          {isNew && <strong>New: </strong>}
          <bdi>{author}</bdi> · <time dateTime={link.created_at}>{createdAgo}</time>
        </Text>
        <Text as="span" size="small" tone="muted">
          Expires <time dateTime={link.expires_at}>{moment(link.expires_at)}</time>
          {link.allows_comments && " · readers can comment"}
        </Text>
      </Stack>
      {isConfirming ? (
        <Row role="group" aria-label={`Revoke the link by ${author}, ${createdAgo}?`}>
          <span>The link will stop working.</span>
          <Button size="small" autoFocus onClick={() => setIsConfirming(false)}>
            Cancel
          </Button>
          <Button size="small" variant="danger" busy={busy} onClick={() => void onRevoke()}>
            Revoke
          </Button>
        </Row>
      ) : (
        <Row gap={1}>
          <CopyButton text={link.url} label={`the link by ${author}, ${createdAgo}`} />
          <Button
            size="small"
            variant="quietDanger"
            aria-label={`Revoke the link by ${author}, ${createdAgo}`}
            onClick={() => setIsConfirming(true)}
          >
            Revoke
          </Button>
        </Row>
      )}
    </Row>
  );
}
