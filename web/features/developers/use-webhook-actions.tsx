import { type ReactNode, Suspense, useState } from "react";
import type { Tag } from "#contract/tags.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { MenuChoice } from "../../ui/popup-menu.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import type { Webhooks } from "./use-webhooks.ts";
import { toDraft, newDraft, type WebhookDraft } from "./webhook-draft.ts";
import type { WebhookQuestionAbout } from "./webhook-question.tsx";
import { titleOf } from "./webhook-labels.ts";

const WebhookDialog = lazyPart(() => import("./webhook-dialog.tsx"), "WebhookDialog");
const ChatDialog = lazyPart(() => import("./chat-dialog.tsx"), "ChatDialog");
const SecretDialog = lazyPart(() => import("./secret-dialog.tsx"), "SecretDialog");
const WebhookQuestion = lazyPart(() => import("./webhook-question.tsx"), "WebhookQuestion");

interface WebhookActionsOptions {
  workspaceId: string;
  list: Webhooks;
  tags: readonly Tag[];
  onPinged?: (webhook: Webhook) => void;
  onRemoved?: () => void;
}

/** Actions and dialogs of webhooks and chats, shared by list and log. */
export function useWebhookActions({ workspaceId, list, tags, onPinged, onRemoved }: WebhookActionsOptions) {
  const [drafts, setDrafts] = useState({ webhook: newDraft("webhook"), chat: newDraft("slack") });
  const [adding, setAdding] = useState<"webhook" | "chat">();
  const [editing, setEditing] = useState<{ webhook: Webhook; draft: WebhookDraft }>();
  const [confirming, setConfirming] = useState<{ webhook: Webhook; about: WebhookQuestionAbout }>();
  const [created, setCreated] = useState<{ webhook: Webhook; secret: string }>();

  async function ping(webhook: Webhook) {
    try {
      await list.ping(webhook.id);
      toasts.success("Test sent", titleOf(webhook));
      onPinged?.(webhook);
    } catch (error) {
      toasts.error("Couldn't send the test", error instanceof ApiError ? error.message : "Please try again later");
    }
  }
  async function enable(webhook: Webhook) {
    try {
      await list.enable(webhook.id);
      toasts.success("Webhook turned on", "New events will be sent. Events missed while it was off won't be.");
    } catch (error) {
      toasts.error("Couldn't turn on the webhook", error instanceof ApiError ? error.message : "Please try again later");
    }
  }
  async function act({ webhook, about }: { webhook: Webhook; about: WebhookQuestionAbout }) {
    if (about === "rotate") setCreated(await list.rotate(webhook.id));
    else if (about === "off") await list.change(webhook.id, { enabled: false });
    else {
      await list.remove(webhook.id);
      onRemoved?.();
    }
  }

  const choices = (webhook: Webhook): MenuChoice[] => [
    ...(webhook.enabled ? [{ label: "Send test", icon: "send" as const, onChoose: () => void ping(webhook) }] : []),
    {
      label: "Edit",
      icon: "pencil",
      onChoose: () => setEditing({ webhook, draft: { ...toDraft(webhook), ...(webhook.kind !== "webhook" && { url: "" }) } }),
    },
    ...(webhook.kind === "webhook"
      ? [{ label: "New signing secret", icon: "refresh" as const, onChoose: () => setConfirming({ webhook, about: "rotate" }) }]
      : []),
    webhook.enabled
      ? { label: "Turn off", icon: "times-circle", onChoose: () => setConfirming({ webhook, about: "off" }) }
      : { label: "Turn on", icon: "check-circle", onChoose: () => void enable(webhook) },
    { label: "Delete", icon: "trash", danger: true, onChoose: () => setConfirming({ webhook, about: "remove" }) },
  ];

  const updateDraft = (type: "webhook" | "chat") => (changes: Partial<WebhookDraft>) =>
    setDrafts((before) => ({ ...before, [type]: { ...before[type], ...changes } }));
  const updateEdited = (changes: Partial<WebhookDraft>) =>
    setEditing((before) => before && { ...before, draft: { ...before.draft, ...changes } });
  const toRequestBody = ({ tags, events, ...rest }: Partial<WebhookDraft>) => ({
    ...rest,
    ...(events && { events: [...events] }),
    ...(tags && { tags: tags.length > 0 ? [...tags] : null }),
  });

  async function add({ kind, ...fields }: Partial<WebhookDraft>) {
    // Without a kind, the server detects a chat's URL.
    const body = { ...toRequestBody(fields), ...(kind !== "webhook" && { kind }) };
    const { webhook, secret } = await list.add(body as { url: string; events: Webhook["events"] });
    setAdding(undefined);
    setDrafts({ webhook: newDraft("webhook"), chat: newDraft("slack") });
    if (secret !== null) setCreated({ webhook, secret });
    else toasts.success(`Connected: ${titleOf(webhook)}`, "Send a test to see it arrive");
  }
  async function change({ kind: _, ...fields }: Partial<WebhookDraft>) {
    await list.change(editing!.webhook.id, toRequestBody(fields));
    setEditing(undefined);
    toasts.success("Saved", titleOf(editing!.webhook));
  }

  const dialogs: ReactNode = (
    <Suspense>
      {adding === "webhook" && (
        <WebhookDialog
          isNew
          draft={drafts.webhook}
          tags={tags}
          onDraft={updateDraft("webhook")}
          save={add}
          onClose={() => setAdding(undefined)}
        />
      )}
      {adding === "chat" && (
        <ChatDialog
          workspaceId={workspaceId}
          draft={drafts.chat}
          tags={tags}
          onDraft={updateDraft("chat")}
          save={add}
          onClose={() => setAdding(undefined)}
        />
      )}
      {editing && editing.webhook.kind === "webhook" && (
        <WebhookDialog
          isNew={false}
          draft={editing.draft}
          tags={tags}
          onDraft={updateEdited}
          save={change}
          onClose={() => setEditing(undefined)}
        />
      )}
      {editing && editing.webhook.kind !== "webhook" && (
        <ChatDialog
          workspaceId={workspaceId}
          shownUrl={editing.webhook.url}
          draft={editing.draft}
          tags={tags}
          onDraft={updateEdited}
          save={change}
          onClose={() => setEditing(undefined)}
        />
      )}
      {confirming && (
        <WebhookQuestion
          title={titleOf(confirming.webhook)}
          about={confirming.about}
          act={() => act(confirming)}
          onClose={() => setConfirming(undefined)}
        />
      )}
      {created && (
        <SecretDialog
          title={`Signing secret for ${titleOf(created.webhook)}`}
          what="the signing secret"
          secret={created.secret}
          onDone={() => setCreated(undefined)}
        >
          <p>
            Each request is signed with <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> (Standard
            Webhooks). Verify the signature with this secret before you trust a request.
          </p>
          {created.webhook.old_secret_until && (
            <p>Requests are also signed with the old secret until {moment(created.webhook.old_secret_until)}.</p>
          )}
        </SecretDialog>
      )}
    </Suspense>
  );

  return { choices, dialogs, ping, enable, addWebhook: () => setAdding("webhook"), connectChat: () => setAdding("chat") };
}
