import { Link } from "react-router-dom";
import type { ReactNode } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Webhook, WebhookKind } from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable, RowMenu } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Note, Text } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import type { MenuChoice } from "../../ui/popup-menu.tsx";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { useWebhookActions } from "./use-webhook-actions.tsx";
import { useTags, useWebhooks } from "./use-webhooks.ts";
import { WebhookState } from "./webhook-state.tsx";
import { chatLabels, eventLabels, titleOf } from "./webhook-labels.ts";

/** Signed requests to a URL. */
export function WebhooksSection({ workspaceId }: { workspaceId: string }) {
  const { actions, ...shared } = useSection(workspaceId, (kind) => kind === "webhook");
  return (
    <>
      <WebhookList
        {...shared}
        id="webhooks"
        title="Webhooks"
        text="Get a signed HTTP request when something happens. Failed deliveries are retried for three days."
        empty={{
          drawing: "letter",
          title: "No webhooks yet",
          text: "Notify your site, search index or bot when a post goes live.",
        }}
        adding={
          <Button variant="primary" icon="plus" onClick={actions.addWebhook}>
            Add webhook
          </Button>
        }
      />
      {actions.dialogs}
    </>
  );
}

/** Messages to Slack, Discord and Teams. */
export function ChatSection({ workspaceId }: { workspaceId: string }) {
  const { actions, ...shared } = useSection(workspaceId, (kind) => kind !== "webhook");
  return (
    <>
      <WebhookList
        {...shared}
        id="chat"
        title="Chat"
        text="Post new updates to Slack, Discord or Microsoft Teams, all of them or by tag."
        empty={{
          drawing: "desk",
          title: "No chats connected",
          text: "Post updates to a Slack, Discord or Teams channel.",
        }}
        adding={
          <Button variant="primary" icon="plus" onClick={actions.connectChat}>
            Connect chat
          </Button>
        }
      />
      {actions.dialogs}
    </>
  );
}

function useSection(workspaceId: string, isShown: (kind: WebhookKind) => boolean) {
  const list = useWebhooks(workspaceId);
  const tags = useTags(workspaceId);
  const actions = useWebhookActions({ workspaceId, list, tags });
  const rows = list.webhooks?.filter(({ kind }) => isShown(kind));
  return { workspaceId, tags, actions, rows, error: list.error, reload: () => void list.reload(), choices: actions.choices };
}

interface WebhookListProps {
  workspaceId: string;
  id: string;
  title: string;
  text: string;
  rows: readonly Webhook[] | undefined;
  error: Error | undefined;
  empty: { drawing: "letter" | "desk"; title: string; text: string };
  adding: ReactNode;
  tags: readonly Tag[];
  choices: (webhook: Webhook) => MenuChoice[];
  reload: () => void;
}

function WebhookList({ workspaceId, id, title, text, rows, error, empty, adding, tags, choices, reload }: WebhookListProps) {
  const now = useNow(60_000);
  const columns: Column<Webhook>[] = [
    {
      header: "Target",
      cell: (webhook) => (
        <>
          <Link to={paths.webhook(workspaceId, webhook.id)}>{titleOf(webhook)}</Link>
          <Text size="code" tone="muted">
            {webhook.kind === "webhook" ? webhook.url : `${chatLabels[webhook.kind].name} · ${webhook.url}`}
          </Text>
        </>
      ),
      isRowHeader: true,
    },
    {
      header: "Events",
      cell: (webhook) => (
        <>
          {webhook.events.map((event) => eventLabels[event].label).join(", ")}
          {webhook.tags && <Note as="span"> · only {webhook.tags.map((key) => tagOf(key, tags).label).join(", ")}</Note>}
        </>
      ),
      width: "15rem",
      card: "wide",
    },
    {
      header: "Status",
      cell: (webhook) => (
        <>
          <WebhookState webhook={webhook} />
          <Note>
            {webhook.last_try_at ? `Last attempt ${relativeTime(webhook.last_try_at, now).toLowerCase()}` : ""}
            {webhook.waiting > 0 && ` · ${webhook.waiting.toLocaleString()} waiting`}
          </Note>
        </>
      ),
      width: "14rem",
      card: "wide",
    },
  ];
  return (
    <ListSection id={id} title={title} text={text} action={rows && rows.length > 0 && adding}>
      <DataTable
        aria-labelledby={id}
        columns={columns}
        rows={rows}
        rowKey={(webhook) => webhook.id}
        load={{
          noun: id === "chat" ? "the chats" : "the webhooks",
          error: rows ? undefined : error,
          onRetry: reload,
          skeletons: 1,
        }}
        empty={<EmptyState {...empty} action={adding} />}
        actions={(webhook) => <RowMenu label={`Actions for ${titleOf(webhook)}`} choices={choices(webhook)} />}
      />
    </ListSection>
  );
}
