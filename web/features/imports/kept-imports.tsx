import useSWR from "swr";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note, Panel, Row, Stack } from "../../ui/layout.tsx";
import { moment } from "../../lib/moment.ts";
import { postCount } from "../posts/tags/tags.ts";
import { deleteStoredImport, type StoredImport, storedImports, keyOf } from "./import-store.ts";

/** The user's unfinished imports, stored in this browser. */
export function useStoredImports(workspaceId: string, personId: string | undefined) {
  const key = personId && keyOf(personId, workspaceId);
  const { data = [], mutate } = useSWR(key && ["stored imports", key], () => storedImports(key!), {
    onError: (error: unknown) => console.warn("Couldn't read stored imports.", error),
  });
  return {
    kept: data,
    look: () => mutate(),
    forget: async (id: string): Promise<void> => {
      await deleteStoredImport(id).catch((error: unknown) => console.warn("Couldn't delete the stored import.", error));
      await mutate();
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
    <Panel as={Row} padding={3} gap={3} role="region" aria-label={`Unfinished import of ${name}`}>
      <Icon name="history" large />
      <Stack gap={0} grow="16rem">
        <p>
          <strong>The import of {name} isn't finished.</strong>
        </p>
        <Note>
          {postCount(total)}, started <time dateTime={new Date(at).toISOString()}>{moment(new Date(at))}</time>. This browser has saved the
          rest, so you don't need the file.
        </Note>
      </Stack>
      <Row>
        <Button variant="primary" size="small" onClick={onContinue}>
          Continue
        </Button>
        <Button variant="quiet" size="small" onClick={onForget}>
          Discard
        </Button>
      </Row>
    </Panel>
  );
}
