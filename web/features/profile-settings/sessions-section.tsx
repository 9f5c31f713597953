import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { type PersonSession, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../components/button.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { Section } from "../../components/section.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { Icon } from "../../components/icon.tsx";
import { deviceName } from "./device-name.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./sessions.module.css";

/** Where the person is signed in, and the end of each: one, all the others, this one. */
export function SessionsSection({ onSignOut, onEndedOthers }: { onSignOut: () => void; onEndedOthers: () => Promise<void> }) {
  const { sessions, error, reload, end, endOthers } = useSessions();
  const [ending, setEnding] = useState<string>();
  const list = useRef<HTMLUListElement>(null);

  async function work(what: string, act: () => Promise<void>, done: string, andThen?: () => Promise<void>) {
    setEnding(what);
    try {
      await act();
      toasts.success(done, "What is open there may stay open for up to an hour.");
      list.current?.focus(); // the button is gone with its session
      await andThen?.();
    } catch (error) {
      toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
    } finally {
      setEnding(undefined);
    }
  }

  return (
    <Section title="Sessions" text="Where you are signed in. Lost a device, or used somebody else's? Sign it out from here.">
      {error && !sessions && <NotRead title="Your sessions could not be read" message={error.message} onRetry={reload} />}
      {!error && !sessions && (
        <Loading label="Loading your sessions">
          <Skeleton height="3.5rem" />
        </Loading>
      )}
      {sessions && (
        <ul ref={list} role="list" tabIndex={-1} aria-label="Sessions" className={css.sessions}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={ending === session.id}
              onEnd={() => void work(session.id, () => end(session.id), "The device is signed out")}
            />
          ))}
        </ul>
      )}
      <div className={css.buttons}>
        {sessions?.some(({ current }) => !current) && (
          <Button busy={ending === "others"} onClick={() => void work("others", endOthers, "Signed out everywhere else", onEndedOthers)}>
            Sign out everywhere else
          </Button>
        )}
        <Button variant="quiet" icon="sign-out" onClick={onSignOut}>
          Sign out here
        </Button>
      </div>
      <p className={css.note}>
        API keys, invitations and other links keep working. <Link to={paths.accountAccess}>See what else acts for you</Link>
      </p>
    </Section>
  );
}

interface SessionRowProps {
  session: PersonSession;
  busy: boolean;
  onEnd: () => void;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short", hourCycle: "h23" });

/** One device: what it is, when it was last here, and the end of it. */
function SessionRow({ session, busy, onEnd }: SessionRowProps) {
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

/** Where the person is signed in; ending a session reads the list again. Both throw ApiError. */
function useSessions() {
  const { data, error, mutate } = useCall(profileEndpoints.sessions, {});
  return {
    sessions: data?.sessions,
    error,
    reload: () => void mutate(),
    async end(sessionId: string): Promise<void> {
      await call(profileEndpoints.endSession, { params: { sessionId } });
      await mutate();
    },
    async endOthers(): Promise<void> {
      await call(profileEndpoints.endOtherSessions);
      await mutate();
    },
  };
}
