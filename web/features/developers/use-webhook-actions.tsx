import { type ReactNode, Suspense, useState } from "react";
import type { Tag } from "#contract/tags.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import type { MenuChoice } from "../../components/popup-menu.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import type { Webhooks } from "./use-webhooks.ts";
import { draftOf, newDraft, type WebhookDraft } from "./webhook-draft.ts";
import type { WebhookQuestionAbout } from "./webhook-question.tsx";
import { titleOf } from "./webhook-labels.ts";

const WebhookDialog = lazyPart(
  () => import("./webhook-dialog.tsx"),
  (part) => part.WebhookDialog,
);
const ChatDialog = lazyPart(
  () => import("./chat-dialog.tsx"),
  (part) => part.ChatDialog,
);
const SecretDialog = lazyPart(
  () => import("./secret-dialog.tsx"),
  (part) => part.SecretDialog,
);
const WebhookQuestion = lazyPart(
  () => import("./webhook-question.tsx"),
  (part) => part.WebhookQuestion,
);

interface Setting {
  workspaceId: string;
  list: Webhooks;
  tags: readonly Tag[];
  /** After a test was sent, and after one was deleted. */
  onPinged?: (webhook: Webhook) => void;
  onRemoved?: () => void;
}

/** Everything that can be done with webhooks and chats, and the dialogs that it takes: the list's and the log's page have the same. */
export function useWebhookActions({ workspaceId, list, tags, onPinged, onRemoved }: Setting) {
  const [drafts, setDrafts] = useState({ webhook: newDraft("webhook"), chat: newDraft("slack") });
  const [adding, setAdding] = useState<"webhook" | "chat">();
  const [changing, setChanging] = useState<{ webhook: Webhook; draft: WebhookDraft }>();
  const [asking, setAsking] = useState<{ webhook: Webhook; about: WebhookQuestionAbout }>();
  const [made, setMade] = useState<{ webhook: Webhook; secret: string }>();

  async function ping(webhook: Webhook) {
    try {
      await list.ping(webhook.id);
      toasts.success("A test is on its way", titleOf(webhook));
      onPinged?.(webhook);
    } catch (error) {
      toasts.error("The test was not sent", error instanceof ApiError ? error.message : "Please try again later");
    }
  }
  async function enable(webhook: Webhook) {
    try {
      await list.enable(webhook.id);
      toasts.success("Switched on", "What happens from now on is sent; what happened meanwhile is not, by itself");
    } catch (error) {
      toasts.error("It was not switched on", error instanceof ApiError ? error.message : "Please try again later");
    }
  }
  async function act({ webhook, about }: { webhook: Webhook; about: WebhookQuestionAbout }) {
    if (about === "rotate") setMade(await list.rotate(webhook.id));
    else if (about === "off") await list.change(webhook.id, { enabled: false });
    else {
      await list.remove(webhook.id);
      onRemoved?.();
    }
  }

  const choices = (webhook: Webhook): MenuChoice[] => [
    ...(webhook.enabled ? [{ label: "Send a test", icon: "send" as const, onChoose: () => void ping(webhook) }] : []),
    {
      label: "Change",
      icon: "pencil",
      onChoose: () => setChanging({ webhook, draft: { ...draftOf(webhook), ...(webhook.kind !== "webhook" && { url: "" }) } }),
    },
    ...(webhook.kind === "webhook"
      ? [{ label: "New signing secret", icon: "refresh" as const, onChoose: () => setAsking({ webhook, about: "rotate" }) }]
      : []),
    webhook.enabled
      ? { label: "Switch off", icon: "times-circle", onChoose: () => setAsking({ webhook, about: "off" }) }
      : { label: "Switch on", icon: "check-circle", onChoose: () => void enable(webhook) },
    { label: "Delete", icon: "trash", danger: true, onChoose: () => setAsking({ webhook, about: "remove" }) },
  ];

  const draft = (what: "webhook" | "chat") => (changes: Partial<WebhookDraft>) =>
    setDrafts((before) => ({ ...before, [what]: { ...before[what], ...changes } }));
  const redraft = (changes: Partial<WebhookDraft>) =>
    setChanging((before) => before && { ...before, draft: { ...before.draft, ...changes } });
  const bodyOf = ({ tags, events, ...rest }: Partial<WebhookDraft>) => ({
    ...rest,
    ...(events && { events: [...events] }),
    ...(tags && { tags: tags.length > 0 ? [...tags] : null }),
  });

  async function add({ kind, ...wanted }: Partial<WebhookDraft>) {
    // A chat's address in the field of a webhook is one of a chat all the same: without a kind, the address says it.
    const body = { ...bodyOf(wanted), ...(kind !== "webhook" && { kind }) };
    const { webhook, secret } = await list.add(body as { url: string; events: Webhook["events"] });
    setAdding(undefined);
    setDrafts({ webhook: newDraft("webhook"), chat: newDraft("slack") });
    if (secret !== null) setMade({ webhook, secret });
    else toasts.success(`Connected: ${titleOf(webhook)}`, "Send a test to see it arrive");
  }
  async function change({ kind: _, ...wanted }: Partial<WebhookDraft>) {
    await list.change(changing!.webhook.id, bodyOf(wanted));
    setChanging(undefined);
    toasts.success("Saved", titleOf(changing!.webhook));
  }

  const dialogs: ReactNode = (
    <Suspense>
      {adding === "webhook" && (
        <WebhookDialog
          isNew
          draft={drafts.webhook}
          tags={tags}
          onDraft={draft("webhook")}
          save={add}
          onClose={() => setAdding(undefined)}
        />
      )}
      {adding === "chat" && (
        <ChatDialog
          workspaceId={workspaceId}
          draft={drafts.chat}
          tags={tags}
          onDraft={draft("chat")}
          save={add}
          onClose={() => setAdding(undefined)}
        />
      )}
      {changing && changing.webhook.kind === "webhook" && (
        <WebhookDialog
          isNew={false}
          draft={changing.draft}
          tags={tags}
          onDraft={redraft}
          save={change}
          onClose={() => setChanging(undefined)}
        />
      )}
      {changing && changing.webhook.kind !== "webhook" && (
        <ChatDialog
          workspaceId={workspaceId}
          shownUrl={changing.webhook.url}
          draft={changing.draft}
          tags={tags}
          onDraft={redraft}
          save={change}
          onClose={() => setChanging(undefined)}
        />
      )}
      {asking && (
        <WebhookQuestion
          title={titleOf(asking.webhook)}
          about={asking.about}
          act={() => act(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {made && (
        <SecretDialog
          title={`Signing secret of ${titleOf(made.webhook)}`}
          what="the signing secret"
          secret={made.secret}
          onDone={() => setMade(undefined)}
        >
          <p>
            Each request carries <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> by Standard
            Webhooks. Check the signature with this secret and one of its ready-made libraries before you believe a request.
          </p>
          {made.webhook.old_secret_until && <p>Until {moment(made.webhook.old_secret_until)} the old secret signs as well.</p>}
        </SecretDialog>
      )}
    </Suspense>
  );

  return { choices, dialogs, ping, enable, addWebhook: () => setAdding("webhook"), connectChat: () => setAdding("chat") };
}
