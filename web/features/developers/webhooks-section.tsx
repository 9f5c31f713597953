import { Link } from "react-router-dom";
import type { ReactNode } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { type MenuChoice, PopupMenu } from "../../ui/popup-menu.tsx";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { useWebhookActions } from "./use-webhook-actions.tsx";
import { useTags, useWebhooks } from "./use-webhooks.ts";
import { WebhookState } from "./webhook-state.tsx";
import { chatLabels, eventLabels, titleOf } from "./webhook-labels.ts";
import css from "../../ui/table-section.module.css";

/** Webhooks, and chats. */
export function WebhooksSections({ workspaceId }: { workspaceId: string }) {
  const list = useWebhooks(workspaceId);
  const tags = useTags(workspaceId);
  const actions = useWebhookActions({ workspaceId, list, tags });
  const { webhooks, error } = list;
  const shared = { workspaceId, tags, error, reload: () => void list.reload(), choices: actions.choices };
  return (
    <>
      <WebhookList
        {...shared}
        id="webhooks"
        title="Webhooks"
        text="Get a signed HTTP request when something happens. Failed deliveries are retried for three days."
        rows={webhooks?.filter(({ kind }) => kind === "webhook")}
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
      <WebhookList
        {...shared}
        id="chat"
        title="Chat"
        text="Post new updates to Slack, Discord or Microsoft Teams, all of them or by tag."
        rows={webhooks?.filter(({ kind }) => kind !== "webhook")}
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
  return (
    <section className={css.section} aria-labelledby={id}>
      <header className={css.head}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={css.what}>{text}</p>
        </div>
        {rows && rows.length > 0 && adding}
      </header>
      {!rows ? (
        <ListLoading label={id === "chat" ? "the chats" : "the webhooks"} error={error} rows={1} onRetry={reload} />
      ) : rows.length === 0 ? (
        <EmptyState {...empty} level={3} action={adding} />
      ) : (
        <table className={`${css.table} ${css.hooks}`} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">TARGET</th>
              <th scope="col">EVENTS</th>
              <th scope="col">STATUS</th>
              <th scope="col">
                <span className="visually-hidden">ACTIONS</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((webhook) => (
              <tr key={webhook.id}>
                <th scope="row" className={css.name}>
                  <span className={css.title}>
                    <Link to={paths.webhook(workspaceId, webhook.id)}>{titleOf(webhook)}</Link>
                  </span>
                  <span className={css.trace}>
                    {webhook.kind === "webhook" ? webhook.url : `${chatLabels[webhook.kind].name} · ${webhook.url}`}
                  </span>
                </th>
                <td className={css.told}>
                  {webhook.events.map((event) => eventLabels[event].label).join(", ")}
                  {webhook.tags && (
                    <span className={css.muted}> · only {webhook.tags.map((key) => tagOf(key, tags).label).join(", ")}</span>
                  )}
                </td>
                <td className={css.how}>
                  <WebhookState webhook={webhook} />
                  <span className={css.muted}>
                    {webhook.last_try_at ? `Last attempt ${relativeTime(webhook.last_try_at, now).toLowerCase()}` : ""}
                    {webhook.waiting > 0 && ` · ${webhook.waiting.toLocaleString()} waiting`}
                  </span>
                </td>
                <td className={css.more}>
                  <PopupMenu className={css.menu} label={`Actions for ${titleOf(webhook)}`} choices={choices(webhook)}>
                    <Icon name="ellipsis-h" />
                  </PopupMenu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
