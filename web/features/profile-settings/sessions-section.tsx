import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { type PersonSession, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { Icon } from "../../ui/icon.tsx";
import { deviceName } from "./device-name.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";

export function SessionsSection({ onSignOut, onEndedOthers }: { onSignOut: () => void; onEndedOthers: () => Promise<void> }) {
  const { sessions, error, reload, end, endOthers } = useSessions();
  const [ending, setEnding] = useState<string>();
  const list = useRef<HTMLUListElement>(null);

  async function endSession(id: string, act: () => Promise<void>, done: string, andThen?: () => Promise<void>) {
    setEnding(id);
    try {
      await act();
      toasts.success(done, "Pages open there can stay usable for up to an hour.");
      list.current?.focus(); // the button disappears with its session
      await andThen?.();
    } catch (error) {
      toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
    } finally {
      setEnding(undefined);
    }
  }

  return (
    <Section title="Sessions" text="Where you're signed in. Sign out devices you lost or no longer use.">
      {error && !sessions && <LoadError title="Couldn't load your sessions" message={error.message} onRetry={reload} />}
      {!error && !sessions && (
        <Loading label="Loading your sessions">
          <Skeleton height="3.5rem" />
        </Loading>
      )}
      {sessions && (
        <List ref={list} tabIndex={-1} aria-label="Sessions">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={ending === session.id}
              onEnd={() => void endSession(session.id, () => end(session.id), "Device signed out")}
            />
          ))}
        </List>
      )}
      <Row gap={3}>
        {sessions?.some(({ current }) => !current) && (
          <Button
            busy={ending === "others"}
            onClick={() => void endSession("others", endOthers, "Signed out everywhere else", onEndedOthers)}
          >
            Sign out everywhere else
          </Button>
        )}
        <Button variant="quiet" icon="sign-out" onClick={onSignOut}>
          Sign out here
        </Button>
      </Row>
      <Text size="small" tone="muted">
        API keys, invitations and other links keep working. <Link to={paths.accountAccess}>Review keys and connections</Link>
      </Text>
    </Section>
  );
}

interface SessionRowProps {
  session: PersonSession;
  busy: boolean;
  onEnd: () => void;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short", hourCycle: "h23" });

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { name, handheld } = deviceName(session.user_agent);
  return (
    <li>
      <Icon name={handheld ? "mobile" : "desktop"} large muted />
      <Stack as="span" gap={0} grow>
        <Text as="span" strong>
          {name}
        </Text>
        <Text as="span" size="small" tone="muted">
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
        </Text>
      </Stack>
      {!session.current && (
        <Button variant="quiet" size="small" busy={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Writes throw ApiError. */
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
