import type { PersonSession } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { deviceName } from "./device-name.ts";
import css from "./sessions.module.css";

interface SessionRowProps {
  session: PersonSession;
  busy: boolean;
  onEnd: () => void;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

/** One device: what it is, when it was last here, and the end of it. */
export function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { name, handheld } = deviceName(session.user_agent);
  return (
    <li className={css.session}>
      <Icon name={handheld ? "mobile" : "desktop"} large className={css.icon} />
      <span className={css.words}>
        <span className={css.name}>{name}</span>
        <span className={css.note}>
          {session.current ? (
            "This device"
          ) : (
            <>
              Last used{" "}
              <time dateTime={session.last_used_at} title={exact.format(new Date(session.last_used_at))}>
                {relativeTime(session.last_used_at, new Date()).toLowerCase()}
              </time>
            </>
          )}
        </span>
      </span>
      {!session.current && (
        <Button variant="quiet" size="small" busy={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}
