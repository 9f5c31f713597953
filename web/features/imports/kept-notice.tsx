import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { postCount } from "../posts/tags/tags.ts";
import type { KeptImport } from "./import-store.ts";
import css from "./kept-notice.module.css";

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
