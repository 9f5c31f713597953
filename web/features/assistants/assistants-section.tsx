import { Suspense, useState } from "react";
import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { type Column, DataTable, RowMenu } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Note } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { day, moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { consentLabels } from "./consent-labels.ts";
import { useProfile } from "../account/profile.ts";
import { ScopeList } from "../developers/scope-list.tsx";
import { WaysToConnect } from "./ways-to-connect.tsx";

const DisconnectDialog = lazyPart(() => import("./disconnect-dialog.tsx"), "DisconnectDialog");

/** Connected assistants and instructions. Members who don't manage the workspace get their own. */
export function AssistantsSection({ workspaceId, manages }: { workspaceId: string; manages: boolean }) {
  const { data, error, mutate, write } = useCall(assistantEndpoints.list, { params: { workspaceId } });
  const assistants = data?.assistants;
  const { data: profile } = useProfile();
  const [ending, setEnding] = useState<Assistant>();
  const now = useNow(60_000);

  const columns: Column<Assistant>[] = [
    { header: "Assistant", cell: (assistant) => <AssistantName assistant={assistant} />, isRowHeader: true },
    { header: "Permissions", cell: ({ scopes }) => <ScopeList scopes={scopes} labels={consentLabels} />, width: "18rem", card: "wide" },
    {
      header: "Last used",
      cell: ({ last_used_at: at }) =>
        at ? (
          <time dateTime={at} title={moment(at)}>
            {relativeTime(at, now)}
          </time>
        ) : (
          "Never"
        ),
      width: "8rem",
      style: "small",
      card: "labelled",
    },
    {
      header: "Expires if unused",
      cell: ({ expires_at: at }) => (
        <time dateTime={at} title={`${moment(at)}, unless used before`}>
          {day(at)}
        </time>
      ),
      width: "8rem",
      style: "small",
      card: "labelled",
    },
  ];

  return (
    <ListSection
      id="assistants-title"
      title="Assistants"
      text={`Claude, ChatGPT, Cursor and others can write drafts here. An assistant acts on behalf of the person who connects it. It publishes only with that person's permission.${manages ? "" : " You only see your own."}`}
    >
      <DataTable
        aria-labelledby="assistants-title"
        columns={columns}
        rows={assistants}
        rowKey={({ id }) => id}
        load={{ noun: "the assistants", error: assistants ? undefined : error, onRetry: () => void mutate(), skeletons: 1 }}
        empty={
          <EmptyState
            drawing="key"
            title="No assistants connected"
            text="Connect one below and choose its permissions. It can't publish unless you allow it."
          />
        }
        actions={(assistant) => (
          <RowMenu
            label={`Actions for ${assistant.host} of ${assistant.created_by_name}`}
            choices={[{ label: "Disconnect", icon: "trash", danger: true, onChoose: () => setEnding(assistant) }]}
          />
        )}
      />
      <h2>Connect an assistant</h2>
      <WaysToConnect />
      <Suspense>
        {ending && (
          <DisconnectDialog
            assistant={ending}
            ownerName={ending.created_by === profile?.user_id ? undefined : ending.created_by_name}
            end={() => write(assistantEndpoints.end, { params: { workspaceId, id: ending.id } })}
            onClose={() => setEnding(undefined)}
          />
        )}
      </Suspense>
    </ListSection>
  );
}

/** Host first: the name is the assistant's own claim. */
function AssistantName({ assistant: { host, name, created_by_name, created_at } }: { assistant: Assistant }) {
  return (
    <>
      {host}
      {name !== host && <Note dir="auto">“{name}”</Note>}
      <Note>
        for <bdi>{created_by_name}</bdi>, since{" "}
        <time dateTime={created_at} title={moment(created_at)}>
          {day(created_at)}
        </time>
      </Note>
    </>
  );
}
