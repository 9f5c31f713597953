import { useCallback, useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { moment } from "../../lib/moment.ts";
import { postCount } from "../posts/tags/tags.ts";
import { deleteStoredImport, type StoredImport, storedImports, keyOf } from "./import-store.ts";
import css from "./imports.module.css";

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
    <Row as="section" gap={3} className={css.notice} aria-label={`Unfinished import of ${name}`}>
      <Icon name="history" large />
      <Stack gap={0} grow="16rem">
        <p>
          <strong>The import of {name} isn't finished.</strong>
        </p>
        <Text size="small" tone="muted">
          {postCount(total)}, started <time dateTime={new Date(at).toISOString()}>{moment(new Date(at))}</time>. This browser has saved the
          rest, so you don't need the file.
        </Text>
      </Stack>
      <Row>
        <Button variant="primary" size="small" onClick={onContinue}>
          Continue
        </Button>
        <Button variant="quiet" size="small" onClick={onForget}>
          Discard
        </Button>
      </Row>
    </Row>
  );
}
