import { Suspense, useState } from "react";
import type { PostSummary } from "#contract/posts.ts";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PopupMenu } from "../../../ui/popup-menu.tsx";
import { openOverlay } from "../../../lib/overlays.ts";
import type { Bulk } from "./use-bulk.ts";
import { inOrder } from "../tags/tags.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import css from "./table.module.css";
import { lazyPart } from "../../../ui/lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("../../../ui/confirm-dialog.tsx"), "ConfirmDialog");

interface BulkBarProps {
  selected: readonly PostSummary[];
  archived: boolean;
  tags: readonly Tag[];
  bulk: Bulk;
  onDone: () => void;
}

export function BulkBar({ selected, archived, tags, bulk, onDone }: BulkBarProps) {
  const [dialog, setDialog] = useState<"archive" | "purge">();
  const count = `${selected.length} ${selected.length === 1 ? "post" : "posts"}`;

  async function perform(act: () => Promise<boolean>) {
    const isDone = await act();
    setDialog(undefined);
    if (isDone) onDone(); // else the failed ones stay selected
  }

  return (
    <Row className={css.bar} role="region" aria-label="Selected posts">
      <Text as="span" strong>
        {selected.length} selected
      </Text>
      {archived ? (
        <>
          <Button size="small" icon="undo" busy={bulk.busy} onClick={() => void perform(() => bulk.restore(selected))}>
            Restore
          </Button>
          <Button size="small" variant="danger" icon="trash" disabled={bulk.busy} onClick={() => setDialog("purge")}>
            Purge
          </Button>
        </>
      ) : (
        <>
          <PopupMenu
            className={buttonClass({ size: "small" })}
            heading="Add tag"
            choices={[
              ...inOrder(tags).map(({ key, label }) => ({ label, onChoose: () => void perform(() => bulk.tag(selected, key)) })),
              { label: "Manage tags", icon: "tags", onChoose: () => openOverlay("tags") },
            ]}
          >
            <Icon name={bulk.busy ? "spinner" : "tag"} />
            Tag
          </PopupMenu>
          <Button size="small" icon="inbox" disabled={bulk.busy} onClick={() => setDialog("archive")}>
            Archive
          </Button>
        </>
      )}
      <Button size="small" variant="quiet" onClick={onDone}>
        Clear selection
      </Button>
      <Suspense>
        {dialog === "archive" && (
          <ConfirmDialog
            title={`Archive ${count}?`}
            confirm="Archive"
            busy={bulk.busy}
            onConfirm={() => void perform(() => bulk.archive(selected))}
            onClose={() => setDialog(undefined)}
          >
            <p>They will be removed from your page and lists right away. You can restore them as drafts from the Archived filter.</p>
          </ConfirmDialog>
        )}
        {dialog === "purge" && (
          <ConfirmDialog
            title={`Purge ${count}?`}
            confirm="Purge"
            danger
            busy={bulk.busy}
            onConfirm={() => void perform(() => bulk.purge(selected))}
            onClose={() => setDialog(undefined)}
          >
            <p>The posts, their history and images will be permanently deleted. This can't be undone.</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </Row>
  );
}
