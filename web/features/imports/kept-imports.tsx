import { useCallback, useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { postCount } from "../posts/tags/tags.ts";
import { deleteStoredImport, type StoredImport, storedImports, keyOf } from "./import-store.ts";
import css from "./import-work.module.css";

export function useStoredImports(workspaceId: string, personId: string | undefined) {
  const [imports, setImports] = useState<StoredImport[]>([]);
  const refresh = useCallback(async () => {
    if (personId === undefined) return;
    try {
      setImports(await storedImports(keyOf(personId, workspaceId)));
    } catch (error) {
      console.warn("Couldn't read stored imports.", error);
    }
  }, [workspaceId, personId]);
  useEffect(() => void refresh(), [refresh]);
  return {
    kept: imports,
    look: refresh,
    forget: async (id: string): Promise<void> => {
      setImports((before) => before.filter((one) => one.id !== id));
      await deleteStoredImport(id).catch((error: unknown) => console.warn("Couldn't delete the stored import.", error));
    },
  };
}

interface KeptNoticeProps {
  kept: StoredImport;
  onContinue: () => void;
  onForget: () => void;
}

/** An unfinished import of an earlier visit. */
export function UnfinishedNotice({ kept: { name, total, at }, onContinue, onForget }: KeptNoticeProps) {
  return (
    <section className={css.notice} aria-label={`Unfinished import of ${name}`}>
      <Icon name="history" large />
      <div className={css.words}>
        <p>
          <strong>The import of {name} isn't finished.</strong>
        </p>
        <p className={css.muted}>
          {postCount(total)}, started <time dateTime={new Date(at).toISOString()}>{moment(new Date(at))}</time>. This browser has saved the
          rest, so you don't need the file.
        </p>
      </div>
      <div className={css.actions}>
        <Button variant="primary" size="small" onClick={onContinue}>
          Continue
        </Button>
        <Button variant="quiet" size="small" onClick={onForget}>
          Discard
        </Button>
      </div>
    </section>
  );
}
