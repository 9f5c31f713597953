import { useState } from "react";
import type { Tag } from "#contract/tags.ts";
import { tagOf } from "#contract/tags.ts";
import {
  chatEvents,
  kindOfAddress,
  webhookEndpoints,
  webhookNameMaxLength,
  webhookUrlMaxLength,
  type WebhookKind,
} from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Grid, Stack, Text } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { useAnswer } from "./use-answer.ts";
import { Fault } from "./fault.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { TagChoice } from "./tag-choice.tsx";
import { chatEditForm, webhookForm, type WebhookDraft } from "./webhook-draft.ts";
import { chatLabels, eventLabels } from "./webhook-labels.ts";
import css from "./webhook-dialog.module.css";

type ChatKind = Exclude<WebhookKind, "webhook">;
const chats = Object.keys(chatLabels) as ChatKind[];

interface ChatDialogProps {
  workspaceId: string;
  /** Masked URL of an existing chat. */
  shownUrl?: string;
  draft: WebhookDraft;
  tags: readonly Tag[];
  onDraft: (changes: Partial<WebhookDraft>) => void;
  save: (draft: Partial<WebhookDraft>) => Promise<void>;
  onClose: () => void;
}

export function ChatDialog({ workspaceId, shownUrl, draft, tags, onDraft, save, onClose }: ChatDialogProps) {
  const isNew = shownUrl === undefined;
  const [initial] = useState({ url: draft.url, name: draft.name });
  const [eventsError, setEventsError] = useState<string>();
  const kind = draft.kind as ChatKind;
  const { name: chat, how, placeholder, docs } = chatLabels[kind];

  async function submit({ url, name }: { url: string; name: string }) {
    setEventsError(draft.events.length === 0 ? "Select at least one event" : undefined);
    if (draft.events.length === 0) return;
    try {
      await save({ events: draft.events, tags: draft.tags, kind, name, ...(url && { url }) });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields.events) throw error;
      setEventsError(error.fields.events);
    }
  }

  return (
    <FormDialog
      title={isNew ? "Connect chat" : `Edit ${draft.name || chat}`}
      width="38rem"
      verb={isNew ? "Connect" : "Save"}
      schema={isNew ? webhookForm : (chatEditForm as unknown as typeof webhookForm)}
      initialValues={initial}
      failure="Couldn't save the chat. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
      {isNew && (
        <ChoiceGroup
          legend="Chat"
          choices={chats.map((value) => ({ value, label: chatLabels[value].name }))}
          value={kind}
          onChange={(kind) => onDraft({ kind })}
        />
      )}
      <TextField
        name="url"
        label="Webhook URL"
        type="url"
        optional={!isNew}
        placeholder={isNew ? placeholder : shownUrl}
        hint={
          isNew ? (
            <>
              {how}{" "}
              <a href={docs} target="_blank" rel="noreferrer">
                Learn more
              </a>
            </>
          ) : (
            "Leave empty to keep the current URL. It's hidden because it lets anyone post to the channel."
          )
        }
        maxLength={webhookUrlMaxLength}
        autoFocus={isNew}
        onTyped={(url) => {
          const detectedKind = kindOfAddress(url);
          onDraft(isNew && detectedKind !== "webhook" ? { url, kind: detectedKind } : { url });
        }}
      />
      <TextField
        name="name"
        label="Name"
        optional
        placeholder="#releases"
        maxLength={webhookNameMaxLength}
        onTyped={(name) => onDraft({ name })}
      />
      <Grid as="fieldset" min="15rem" gap={2}>
        <legend>Messages</legend>
        {chatEvents.map((event) => (
          <Checkbox
            key={event}
            label={eventLabels[event].label}
            checked={draft.events.includes(event)}
            onChange={({ target }) =>
              onDraft({ events: target.checked ? [...draft.events, event] : draft.events.filter((one) => one !== event) })
            }
          />
        ))}
        {eventsError && <Fault id="chat-events" words={eventsError} />}
      </Grid>
      <TagChoice tags={tags} chosen={draft.tags} onChange={(keys) => onDraft({ tags: keys })} />
      <Preview workspaceId={workspaceId} kind={kind} tags={tags} />
    </FormDialog>
  );
}

/** Example message of the newest published post. */
function Preview({ workspaceId, kind, tags }: { workspaceId: string; kind: ChatKind; tags: readonly Tag[] }) {
  const {
    answer,
    failed,
    again: retry,
  } = useAnswer(`${workspaceId} ${kind}`, () => call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind } }));
  return (
    <Stack as="section" gap={2} aria-label="Message preview">
      <h3>{answer?.example ? "Example message" : "Message for your latest post"}</h3>
      {failed ? (
        <Text size="small" tone="muted">
          Couldn't load the preview.{" "}
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </Text>
      ) : !answer ? (
        <Skeleton height="5rem" />
      ) : (
        <div className={css.message}>
          <strong>{answer.shown.title}</strong>
          <p>{answer.shown.text}</p>
          {answer.shown.tags.length > 0 && (
            <Text size="small" tone="muted">
              {answer.shown.tags.map((key) => tagOf(key, tags).label).join(" · ")}
            </Text>
          )}
          {answer.shown.url && (
            <Text size="small" tone="muted">
              {answer.shown.url}
            </Text>
          )}
        </div>
      )}
    </Stack>
  );
}
