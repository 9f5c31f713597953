import { Link } from "react-router-dom";
import type { ReactNode } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Icon } from "../../components/icon.tsx";
import { ListNotRead } from "../../components/list-not-read.tsx";
import { type MenuChoice, PopupMenu } from "../../components/popup-menu.tsx";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { useWebhookActions } from "./use-webhook-actions.tsx";
import { useTags, useWebhooks } from "./use-webhooks.ts";
import { WebhookState } from "./webhook-state.tsx";
import { chatWords, eventWords, titleOf } from "./webhook-labels.ts";
import css from "../../components/table-section.module.css";

/** Who is told of news: other programs, and chats. */
export function WebhooksSections({ workspaceId }: { workspaceId: string }) {
  const list = useWebhooks(workspaceId);
  const tags = useTags(workspaceId);
  const actions = useWebhookActions({ workspaceId, list, tags });
  const { webhooks, error } = list;
  const shared = { workspaceId, tags, error, reload: () => void list.reload(), choices: actions.choices };
  return (
    <>
      <Told
        {...shared}
        id="webhooks"
        title="Webhooks"
        what="A signed request to an address of yours, each time something happens. Tried again for three days where nobody answers."
        rows={webhooks?.filter(({ kind }) => kind === "webhook")}
        empty={{
          drawing: "letter",
          title: "No webhook yet",
          text: "Your site, your search or your own bot can hear of a post once the minutes are over in which it can be taken back.",
        }}
        adding={
          <Button variant="primary" icon="plus" onClick={actions.addWebhook}>
            Add a webhook
          </Button>
        }
      />
      <Told
        {...shared}
        id="chat"
        title="Chat"
        what="A message in Slack, Discord or Microsoft Teams for each post, or for those with a tag."
        rows={webhooks?.filter(({ kind }) => kind !== "webhook")}
        empty={{
          drawing: "desk",
          title: "No chat connected",
          text: "Paste the address of a channel, and the team hears of each post where it talks.",
        }}
        adding={
          <Button variant="primary" icon="plus" onClick={actions.connectChat}>
            Connect a chat
          </Button>
        }
      />
      {actions.dialogs}
    </>
  );
}

interface ToldProps {
  workspaceId: string;
  id: string;
  title: string;
  what: string;
  rows: readonly Webhook[] | undefined;
  error: Error | undefined;
  empty: { drawing: "letter" | "desk"; title: string; text: string };
  adding: ReactNode;
  tags: readonly Tag[];
  choices: (webhook: Webhook) => MenuChoice[];
  reload: () => void;
}

function Told({ workspaceId, id, title, what, rows, error, empty, adding, tags, choices, reload }: ToldProps) {
  const now = useNow(60_000);
  return (
    <section className={css.section} aria-labelledby={id}>
      <header className={css.head}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={css.what}>{what}</p>
        </div>
        {rows && rows.length > 0 && adding}
      </header>
      {!rows ? (
        <ListNotRead what={id === "chat" ? "the chats" : "the webhooks"} error={error} rows={1} onRetry={reload} />
      ) : rows.length === 0 ? (
        <EmptyState {...empty} level={3} action={adding} />
      ) : (
        <table className={`${css.table} ${css.hooks}`} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">WHERE</th>
              <th scope="col">TOLD OF</th>
              <th scope="col">HOW IT GOES</th>
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
                    {webhook.kind === "webhook" ? webhook.url : `${chatWords[webhook.kind].name} · ${webhook.url}`}
                  </span>
                </th>
                <td className={css.told}>
                  {webhook.events.map((event) => eventWords[event].label).join(", ")}
                  {webhook.tags && (
                    <span className={css.muted}> · only {webhook.tags.map((key) => tagOf(key, tags).label).join(", ")}</span>
                  )}
                </td>
                <td className={css.how}>
                  <WebhookState webhook={webhook} />
                  <span className={css.muted}>
                    {webhook.last_try_at ? `Last try ${relativeTime(webhook.last_try_at, now).toLowerCase()}` : ""}
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
