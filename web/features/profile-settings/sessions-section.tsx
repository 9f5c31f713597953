import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { type PersonSession, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { deviceName } from "./device-name.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall } from "../../lib/use-call.ts";
import { List, Note, Row } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";

const shownSessions = 5;

export function SessionsSection({ onSignOut, onEndedOthers }: { onSignOut: () => void; onEndedOthers: () => Promise<void> }) {
  const { data, error, mutate, write } = useCall(profileEndpoints.sessions, {});
  const sessions = data?.sessions;
  const { running, run } = useAction();
  const [showAll, setShowAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);

  const end = (id: string, act: () => Promise<unknown>, done: string) =>
    run(id, "Sign out failed", async () => {
      await act();
      toasts.success(done, "Pages open there can stay usable for up to an hour.");
      list.current?.focus(); // the button disappears with its session
    });
  const endOthers = () =>
    end(
      "others",
      async () => {
        await write(profileEndpoints.endOtherSessions);
        await onEndedOthers();
      },
      "Signed out everywhere else",
    );

  return (
    <Section title="Sessions" text="Where you're signed in. Sign out devices you lost or no longer use.">
      {!sessions && <ListLoading label="your sessions" error={error} rows={1} onRetry={() => void mutate()} />}
      {sessions && (
        <List ref={list} tabIndex={-1} aria-label="Sessions">
          {sessions.slice(0, showAll ? undefined : shownSessions).map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={running === session.id}
              onEnd={() =>
                void end(session.id, () => write(profileEndpoints.endSession, { params: { sessionId: session.id } }), "Device signed out")
              }
            />
          ))}
        </List>
      )}
      {sessions && sessions.length > shownSessions && !showAll && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            setShowAll(true);
            list.current?.focus(); // the button disappears
          }}
        >
          Show all {sessions.length}
        </Button>
      )}
      <Row gap={3}>
        {sessions?.some(({ current }) => !current) && (
          <Button busy={running === "others"} onClick={() => void endOthers()}>
            Sign out everywhere else
          </Button>
        )}
        <Button variant="quiet" icon="sign-out" onClick={onSignOut}>
          Sign out here
        </Button>
      </Row>
      <Note>
        API keys, invitations and other links keep working. <Link to={paths.accountAccess}>Review keys and connections</Link>
      </Note>
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
    <ListItem
      icon={handheld ? "mobile" : "desktop"}
      title={name}
      note={
        session.current ? (
          "This device"
        ) : (
          <>
            Last used{" "}
            <time dateTime={session.last_used_at} title={exact.format(new Date(session.last_used_at))}>
              {relativeTime(session.last_used_at, new Date()).toLowerCase()}
            </time>
          </>
        )
      }
    >
      {!session.current && (
        <Button variant="quiet" size="small" busy={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </ListItem>
  );
}
