import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Icon } from "../../components/icon.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ListNotRead } from "../../components/list-not-read.tsx";
import { PopupMenu } from "../../components/popup-menu.tsx";
import { call } from "../../lib/api-client.ts";
import { day, moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { consentWords } from "./consent-labels.ts";
import css from "../../components/table-section.module.css";
import { useProfile } from "../session/profile.ts";
import { WaysToConnect } from "./ways-to-connect.tsx";

const EndQuestion = lazyPart(
  () => import("./end-question.tsx"),
  (part) => part.EndQuestion,
);

const anchor = "assistants";

/** Assistants that work in a workspace, and how another one is connected. Whoever does not manage it sees their own. */
export function AssistantsSection({ workspaceId, manages }: { workspaceId: string; manages: boolean }) {
  const list = useAssistants(workspaceId);
  const { assistants, error } = list;
  const { data: profile } = useProfile();
  const [ending, setEnding] = useState<Assistant>();
  const now = useNow(60_000);
  const start = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  const isThere = assistants !== undefined;

  // Who follows a link here gets here, once it is known how long the list is.
  useLayoutEffect(() => {
    if (isThere && hash === `#${anchor}`) start.current?.scrollIntoView();
  }, [isThere, hash]);

  return (
    <section ref={start} id={anchor} className={css.section} aria-labelledby="assistants-title">
      <header className={css.head}>
        <div>
          <h2 id="assistants-title">Assistants</h2>
          <p className={css.what}>
            Claude, ChatGPT, Cursor and others can draft here. One acts in the place of the person who connects it, and publishes only if
            that person allows it.{!manages && " You see yours."}
          </p>
        </div>
      </header>
      {!assistants ? (
        <ListNotRead what="the assistants" error={error} rows={1} onRetry={() => void list.reload()} />
      ) : assistants.length === 0 ? (
        <EmptyState
          drawing="key"
          level={3}
          title="No assistant connected"
          text="Connect yours with a line from below. What it may do, you choose; nothing goes to your readers without a person."
        />
      ) : (
        <table className={`${css.table} ${css.keys}`} aria-labelledby="assistants-title">
          <thead>
            <tr>
              <th scope="col">ASSISTANT</th>
              <th scope="col">MAY</th>
              <th scope="col">LAST USED</th>
              <th scope="col">ENDS UNUSED</th>
              <th scope="col">
                <span className="visually-hidden">ACTIONS</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {assistants.map((one) => (
              <AssistantRow
                key={one.id}
                assistant={one}
                now={now}
                menu={
                  <PopupMenu
                    className={css.menu}
                    label={`Actions for ${one.host} of ${one.created_by_name}`}
                    choices={[{ label: "End the connection", icon: "trash" as const, danger: true, onChoose: () => setEnding(one) }]}
                  >
                    <Icon name="ellipsis-h" />
                  </PopupMenu>
                }
              />
            ))}
          </tbody>
        </table>
      )}
      <h3>Connect one</h3>
      <WaysToConnect />
      <Suspense>
        {ending && (
          <EndQuestion
            assistant={ending}
            of={ending.created_by === profile?.user_id ? undefined : ending.created_by_name}
            end={() => list.end(ending)}
            onClose={() => setEnding(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}

/** The assistants that are connected with a workspace: one's own, for owners and admins everybody's. `end` throws an ApiError. */
function useAssistants(workspaceId: string) {
  const { data, error, mutate } = useCall(assistantEndpoints.list, { params: { workspaceId } });
  return {
    assistants: data?.assistants,
    error,
    reload: () => mutate(),
    end: async ({ id }: Assistant): Promise<void> => {
      await call(assistantEndpoints.end, { params: { workspaceId, id } });
      await mutate();
    },
  };
}

/** One assistant that is connected: its host first, because its name is its own word. */
function AssistantRow({ assistant, now, menu }: { assistant: Assistant; now: Date; menu: ReactNode }) {
  const { host, name, scopes, created_by_name, created_at, last_used_at, expires_at } = assistant;
  return (
    <tr>
      <th scope="row" className={css.name}>
        <span className={css.title}>{host}</span>
        {name !== host && (
          <span className={css.muted} dir="auto">
            “{name}”
          </span>
        )}
        <span className={css.muted}>
          for <bdi>{created_by_name}</bdi>, since{" "}
          <time dateTime={created_at} title={moment(created_at)}>
            {day(created_at)}
          </time>
        </span>
      </th>
      <td className={css.may}>
        <ul role="list">
          {scopes.map((scope) => (
            <li key={scope} className={scope === "posts:publish" ? css.strong : undefined} title={consentWords[scope].note}>
              {consentWords[scope].label}
            </li>
          ))}
        </ul>
      </td>
      <td className={css.when}>
        {last_used_at ? (
          <time dateTime={last_used_at} title={moment(last_used_at)}>
            {relativeTime(last_used_at, now)}
          </time>
        ) : (
          "Not yet"
        )}
      </td>
      <td className={css.when}>
        <time dateTime={expires_at} title={`${moment(expires_at)}, unless it is used before`}>
          {day(expires_at)}
        </time>
      </td>
      <td className={css.more}>{menu}</td>
    </tr>
  );
}
