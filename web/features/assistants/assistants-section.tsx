import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { call } from "../../lib/api-client.ts";
import { day, moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { consentLabels } from "./consent-labels.ts";
import css from "../../ui/table-section.module.css";
import { useProfile } from "../account/profile.ts";
import { WaysToConnect } from "./ways-to-connect.tsx";

const EndQuestion = lazyPart(
  () => import("./disconnect-dialog.tsx"),
  (part) => part.DisconnectDialog,
);

const anchor = "assistants";

/** Connected assistants and instructions. Members who don't manage the workspace see their own. */
export function AssistantsSection({ workspaceId, manages }: { workspaceId: string; manages: boolean }) {
  const list = useAssistants(workspaceId);
  const { assistants, error } = list;
  const { data: profile } = useProfile();
  const [ending, setEnding] = useState<Assistant>();
  const now = useNow(60_000);
  const start = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  const isLoaded = assistants !== undefined;

  // Scroll to the anchor once the list's height is known.
  useLayoutEffect(() => {
    if (isLoaded && hash === `#${anchor}`) start.current?.scrollIntoView();
  }, [isLoaded, hash]);

  return (
    <section ref={start} id={anchor} className={css.section} aria-labelledby="assistants-title">
      <header className={css.head}>
        <div>
          <h2 id="assistants-title">Assistants</h2>
          <p className={css.what}>
            Claude, ChatGPT, Cursor and others can write drafts here. An assistant acts on behalf of the person who connects it. It
            publishes only with that person's permission.{!manages && " You only see your own."}
          </p>
        </div>
      </header>
      {!assistants ? (
        <ListLoading label="the assistants" error={error} rows={1} onRetry={() => void list.reload()} />
      ) : assistants.length === 0 ? (
        <EmptyState
          drawing="key"
          level={3}
          title="No assistants connected"
          text="Connect one below. You choose its permissions, and nothing is published without a person's approval."
        />
      ) : (
        <table className={`${css.table} ${css.keys}`} aria-labelledby="assistants-title">
          <thead>
            <tr>
              <th scope="col">ASSISTANT</th>
              <th scope="col">PERMISSIONS</th>
              <th scope="col">LAST USED</th>
              <th scope="col">EXPIRES IF UNUSED</th>
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
                    choices={[{ label: "Disconnect", icon: "trash" as const, danger: true, onChoose: () => setEnding(one) }]}
                  >
                    <Icon name="ellipsis-h" />
                  </PopupMenu>
                }
              />
            ))}
          </tbody>
        </table>
      )}
      <h3>Connect an assistant</h3>
      <WaysToConnect />
      <Suspense>
        {ending && (
          <EndQuestion
            assistant={ending}
            ownerName={ending.created_by === profile?.user_id ? undefined : ending.created_by_name}
            end={() => list.end(ending)}
            onClose={() => setEnding(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}

/** Own assistants; all of them for owners and admins. `end` throws ApiError. */
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

/** Host first: the name is the assistant's own claim. */
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
            <li key={scope} className={scope === "posts:publish" ? css.strong : undefined} title={consentLabels[scope].note}>
              {consentLabels[scope].label}
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
          "Never"
        )}
      </td>
      <td className={css.when}>
        <time dateTime={expires_at} title={`${moment(expires_at)}, unless used before`}>
          {day(expires_at)}
        </time>
      </td>
      <td className={css.more}>{menu}</td>
    </tr>
  );
}
