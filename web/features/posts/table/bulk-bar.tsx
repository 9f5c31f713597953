import { Suspense, useState } from "react";
import type { PostSummary } from "#contract/posts.ts";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PopupMenu } from "../../../components/popup-menu.tsx";
import { openOverlay } from "../../../lib/overlays.ts";
import type { Bulk } from "./use-bulk.ts";
import { inOrder } from "../tags/tags.ts";
import css from "./bulk-bar.module.css";
import { lazyPart } from "../../../components/lazy-part.tsx";

const ConfirmDialog = lazyPart(
  () => import("../../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

interface BulkBarProps {
  selected: readonly PostSummary[];
  archived: boolean;
  tags: readonly Tag[];
  bulk: Bulk;
  /** After something was done. */
  onDone: () => void;
}

/** What can be done with the selected posts. */
export function BulkBar({ selected, archived, tags, bulk, onDone }: BulkBarProps) {
  const [asking, setAsking] = useState<"archive" | "purge">();
  const count = `${selected.length} ${selected.length === 1 ? "post" : "posts"}`;

  async function perform(act: () => Promise<void>) {
    await act();
    setAsking(undefined);
    onDone();
  }

  return (
    <div className={css.bar} role="region" aria-label="Selected posts">
      <span className={css.count}>{selected.length} selected</span>
      {archived ? (
        <>
          <Button size="small" icon="undo" busy={bulk.busy} onClick={() => void perform(() => bulk.restore(selected))}>
            Restore
          </Button>
          <Button size="small" variant="danger" icon="trash" disabled={bulk.busy} onClick={() => setAsking("purge")}>
            Purge
          </Button>
        </>
      ) : (
        <>
          <PopupMenu
            className={css.tag}
            heading="Add a tag"
            choices={[
              ...inOrder(tags).map(({ key, label }) => ({ label, onChoose: () => void perform(() => bulk.tag(selected, key)) })),
              { label: "Manage tags", icon: "tags", onChoose: () => openOverlay("tags") },
            ]}
          >
            <Icon name={bulk.busy ? "spinner" : "tag"} />
            Tag
          </PopupMenu>
          <Button size="small" icon="inbox" disabled={bulk.busy} onClick={() => setAsking("archive")}>
            Archive
          </Button>
        </>
      )}
      <Button size="small" variant="quiet" onClick={onDone}>
        Clear selection
      </Button>
      <Suspense>
        {asking === "archive" && (
          <ConfirmDialog
            title={`Archive ${count}?`}
            confirm="Archive"
            busy={bulk.busy}
            onConfirm={() => void perform(() => bulk.archive(selected))}
            onClose={() => setAsking(undefined)}
          >
            <p>
              They leave every list and the public page at once. You find them again under the status "Archived", and can restore them as
              drafts.
            </p>
          </ConfirmDialog>
        )}
        {asking === "purge" && (
          <ConfirmDialog
            title={`Purge ${count}?`}
            confirm="Purge"
            danger
            busy={bulk.busy}
            onConfirm={() => void perform(() => bulk.purge(selected))}
            onClose={() => setAsking(undefined)}
          >
            <p>Text, history and images are deleted for good. This can't be undone.</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </div>
  );
}
