import { useCallback, useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { postCount } from "../posts/tags/tags.ts";
import { forgetImport, type KeptImport, keptImports, keyOf } from "./import-store.ts";
import css from "./import-work.module.css";

/** Imports that this device can go on with, and a way to let go of one. */
export function useKeptImports(workspaceId: string, personId: string | undefined) {
  const [kept, setKept] = useState<KeptImport[]>([]);
  const look = useCallback(async () => {
    if (personId === undefined) return;
    try {
      setKept(await keptImports(keyOf(personId, workspaceId)));
    } catch (error) {
      console.warn("This device keeps no imports.", error);
    }
  }, [workspaceId, personId]);
  useEffect(() => void look(), [look]);
  return {
    kept,
    look,
    forget: async (id: string): Promise<void> => {
      setKept((before) => before.filter((one) => one.id !== id));
      await forgetImport(id).catch((error: unknown) => console.warn("The import could not be forgotten.", error));
    },
  };
}

interface KeptNoticeProps {
  kept: KeptImport;
  onContinue: () => void;
  onForget: () => void;
}

/** An import of an earlier visit that is not through. */
export function KeptNotice({ kept: { name, total, at }, onContinue, onForget }: KeptNoticeProps) {
  return (
    <section className={css.notice} aria-label={`Unfinished import of ${name}`}>
      <Icon name="history" large />
      <div className={css.words}>
        <p>
          <strong>The import of {name} is not finished.</strong>
        </p>
        <p className={css.muted}>
          {postCount(total)}, begun <time dateTime={new Date(at).toISOString()}>{moment(new Date(at))}</time>. This browser has kept the
          rest: you need no file.
        </p>
      </div>
      <div className={css.actions}>
        <Button variant="primary" size="small" onClick={onContinue}>
          Continue
        </Button>
        <Button variant="quiet" size="small" onClick={onForget}>
          Forget the rest
        </Button>
      </div>
    </section>
  );
}
