import { type ReactNode, Suspense, useState } from "react";
import type { Tag } from "#contract/tags.ts";
import { oldSecretHours, type Webhook } from "#contract/webhooks.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { MenuChoice } from "../../ui/popup-menu.tsx";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import type { Webhooks } from "./use-webhooks.ts";
import { toDraft, newDraft, type WebhookDraft } from "./webhook-draft.ts";
import { titleOf } from "./webhook-labels.ts";

const WebhookDialog = lazyPart(() => import("./webhook-dialog.tsx"), "WebhookDialog");
const SecretDialog = lazyPart(() => import("./secret-dialog.tsx"), "SecretDialog");
const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

const questions = {
  rotate: {
    title: "Create a new signing secret?",
    confirm: "Create secret",
    text: `You'll see the new secret once. Requests are also signed with the old one for ${oldSecretHours} hours.`,
    failure: "Couldn't create a new secret",
  },
  off: {
    title: "Turn off this webhook?",
    confirm: "Turn off",
    text: "No events are sent until you turn it on again. Events missed meanwhile aren't sent later.",
    failure: "Couldn't turn off the webhook",
  },
  remove: {
    title: "Permanently delete this webhook?",
    confirm: "Delete",
    text: "No more events are sent, and its delivery log is deleted too. This can't be undone.",
    failure: "Couldn't delete the webhook",
  },
} as const;

interface Confirming {
  webhook: Webhook;
  about: keyof typeof questions;
}

interface WebhookActionsOptions {
  workspaceId: string;
  list: Webhooks;
  tags: readonly Tag[];
  onPinged?: (webhook: Webhook) => void;
  onRemoved?: () => void;
}

/** Actions and dialogs of webhooks and chats, shared by list and log. */
export function useWebhookActions({ workspaceId, list, tags, onPinged, onRemoved }: WebhookActionsOptions) {
  const { run } = useAction();
  const [drafts, setDrafts] = useState({ webhook: newDraft("webhook"), chat: newDraft("slack") });
  const [adding, setAdding] = useState<"webhook" | "chat">();
  const [editing, setEditing] = useState<{ webhook: Webhook; draft: WebhookDraft }>();
  const [confirming, setConfirming] = useState<Confirming>();
  const [created, setCreated] = useState<{ webhook: Webhook; secret: string }>();

  const ping = (webhook: Webhook) =>
    run("ping", "Couldn't send the test", async () => {
      await list.ping(webhook.id);
      toasts.success("Test sent", titleOf(webhook));
      onPinged?.(webhook);
    });
  const enable = (webhook: Webhook) =>
    run("enable", "Couldn't turn on the webhook", async () => {
      await list.enable(webhook.id);
      toasts.success("Webhook turned on", "New events will be sent. Events missed while it was off won't be.");
    });
  async function act({ webhook, about }: Confirming) {
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

  const updateDraft = (changes: Partial<WebhookDraft>) =>
    adding && setDrafts((before) => ({ ...before, [adding]: { ...before[adding], ...changes } }));
  const updateEdited = (changes: Partial<WebhookDraft>) =>
    setEditing((before) => before && { ...before, draft: { ...before.draft, ...changes } });
  /** Without a URL for a chat that keeps its own. */
  const toRequestBody = ({ url, name, events, tags }: WebhookDraft) => ({
    ...(url && { url }),
    name,
    events: [...events],
    tags: tags.length > 0 ? [...tags] : null,
  });

  async function add(draft: WebhookDraft) {
    // Without a kind, the server detects a chat's URL.
    const body = { ...toRequestBody(draft), url: draft.url, ...(draft.kind !== "webhook" && { kind: draft.kind }) };
    const { webhook, secret } = await list.add(body);
    setAdding(undefined);
    setDrafts({ webhook: newDraft("webhook"), chat: newDraft("slack") });
    if (secret !== null) setCreated({ webhook, secret });
    else toasts.success(`Connected: ${titleOf(webhook)}`, "Send a test to see it arrive");
  }
  async function change(draft: WebhookDraft) {
    await list.change(editing!.webhook.id, toRequestBody(draft));
    setEditing(undefined);
    toasts.success("Saved", titleOf(editing!.webhook));
  }

  const dialogs: ReactNode = (
    <Suspense>
      {adding && (
        <WebhookDialog
          {...{ workspaceId, tags }}
          isNew
          draft={drafts[adding]}
          onDraft={updateDraft}
          save={add}
          onClose={() => setAdding(undefined)}
        />
      )}
      {editing && (
        <WebhookDialog
          {...{ workspaceId, tags }}
          isNew={false}
          shownUrl={editing.webhook.url}
          draft={editing.draft}
          onDraft={updateEdited}
          save={change}
          onClose={() => setEditing(undefined)}
        />
      )}
      {confirming && (
        <ConfirmAction
          {...questions[confirming.about]}
          danger={confirming.about === "remove"}
          act={() => act(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          <p>
            <strong>{titleOf(confirming.webhook)}</strong>
          </p>
          <p>{questions[confirming.about].text}</p>
        </ConfirmAction>
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
