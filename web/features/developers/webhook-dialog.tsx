import { useState } from "react";
import useSWR from "swr";
import { type Tag, tagOf } from "#contract/tags.ts";
import {
  chatEvents,
  kindOfAddress,
  webhookEndpoints,
  webhookEvents,
  type WebhookKind,
  webhookNameMaxLength,
  webhookUrlMaxLength,
} from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Checkboxes, CheckboxGroup } from "../../ui/checkbox-group.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Note, Panel, Stack, Text } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { chatEditForm, webhookForm, type WebhookDraft } from "./webhook-draft.ts";
import { chatLabels, eventLabels } from "./webhook-labels.ts";

type ChatKind = Exclude<WebhookKind, "webhook">;
const chats = Object.keys(chatLabels) as ChatKind[];

interface WebhookDialogProps {
  workspaceId: string;
  isNew: boolean;
  /** URL of an existing webhook; a chat's is masked. */
  shownUrl?: string;
  draft: WebhookDraft;
  tags: readonly Tag[];
  onDraft: (changes: Partial<WebhookDraft>) => void;
  save: (draft: WebhookDraft) => Promise<void>;
  onClose: () => void;
}

/** Adds or edits a webhook, or a chat, which is a webhook of its product. */
export function WebhookDialog({ workspaceId, isNew, shownUrl, draft, tags, onDraft, save, onClose }: WebhookDialogProps) {
  const [initial] = useState({ url: draft.url, name: draft.name });
  const [eventsError, setEventsError] = useState<string>();
  const chat = draft.kind === "webhook" ? null : chatLabels[draft.kind];
  const deletedTags = draft.tags.filter((key) => !tags.some((tag) => tag.key === key)).map((key) => ({ key, label: key }));

  async function submit({ url, name }: { url: string; name: string }) {
    setEventsError(draft.events.length === 0 ? "Select at least one event" : undefined);
    if (draft.events.length === 0) return;
    try {
      await save({ ...draft, url, name });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields.events) throw error;
      setEventsError(error.fields.events);
    }
  }

  return (
    <FormDialog
      title={isNew ? (chat ? "Connect chat" : "Add webhook") : chat ? `Edit ${draft.name || chat.name}` : "Edit webhook"}
      width="38rem"
      verb={isNew ? (chat ? "Connect" : "Add webhook") : "Save"}
      schema={chat && !isNew ? (chatEditForm as unknown as typeof webhookForm) : webhookForm}
      initialValues={initial}
      failure={`Couldn't save the ${chat ? "chat" : "webhook"}. Please try again.`}
      onSubmit={submit}
      onClose={onClose}
    >
      {chat && isNew && (
        <ChoiceGroup
          legend="Chat"
          choices={chats.map((value) => ({ value, label: chatLabels[value].name }))}
          value={draft.kind}
          onChange={(kind) => onDraft({ kind })}
        />
      )}
      {chat ? (
        <TextField
          name="url"
          label="Webhook URL"
          type="url"
          optional={!isNew}
          placeholder={isNew ? chat.placeholder : shownUrl}
          hint={
            isNew ? (
              <>
                {chat.how}{" "}
                <a href={chat.docs} target="_blank" rel="noreferrer">
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
      ) : (
        <TextField
          name="url"
          label="URL"
          type="url"
          placeholder="https://example.com/hooks/tidings"
          hint="A public https URL. We send signed POST requests with JSON."
          maxLength={webhookUrlMaxLength}
          autoFocus={isNew}
          onTyped={(url) => onDraft({ url })}
        />
      )}
      <TextField
        name="name"
        label="Name"
        optional
        placeholder={chat ? "#releases" : undefined}
        maxLength={webhookNameMaxLength}
        onTyped={(name) => onDraft({ name })}
      />
      <CheckboxGroup legend={chat ? "Messages" : "Events"} min="15rem" error={eventsError}>
        <Checkboxes
          options={(chat ? chatEvents : webhookEvents).map((value) => ({
            value,
            label: eventLabels[value].label,
            note: !chat && (
              <>
                <Text as="code" size="code" tone="muted">
                  {value}
                </Text>{" "}
                {eventLabels[value].note}
              </>
            ),
          }))}
          chosen={draft.events}
          onChange={(events) => onDraft({ events })}
        />
      </CheckboxGroup>
      {draft.events.some((event) => event.startsWith("post.")) && (
        <CheckboxGroup legend="Filter by tags" hint="Leave all unchecked to send every post." min="15rem">
          <Checkboxes
            options={[...tags, ...deletedTags].map(({ key, label }) => ({ value: key, label }))}
            chosen={draft.tags}
            onChange={(keys) => onDraft({ tags: keys })}
          />
        </CheckboxGroup>
      )}
      {draft.kind !== "webhook" && <Preview workspaceId={workspaceId} kind={draft.kind} tags={tags} />}
    </FormDialog>
  );
}

/** Example message of the newest published post. */
function Preview({ workspaceId, kind, tags }: { workspaceId: string; kind: ChatKind; tags: readonly Tag[] }) {
  const { data, error, mutate } = useSWR(["chat preview", workspaceId, kind], () =>
    call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind } }),
  );
  return (
    <Stack as="section" gap={2} aria-label="Message preview">
      <h3>{data?.example ? "Example message" : "Message for your latest post"}</h3>
      {data ? (
        <Panel sunk padding={3} gap={1}>
          <strong>{data.shown.title}</strong>
          <Text style={{ whiteSpace: "pre-line" }}>{data.shown.text}</Text>
          {data.shown.tags.length > 0 && <Note>{data.shown.tags.map((key) => tagOf(key, tags).label).join(" · ")}</Note>}
          {data.shown.url && <Note>{data.shown.url}</Note>}
        </Panel>
      ) : error ? (
        <Note>
          Couldn't load the preview.{" "}
          <Button size="small" onClick={() => void mutate()}>
            Try again
          </Button>
        </Note>
      ) : (
        <Skeleton height="5rem" />
      )}
    </Stack>
  );
}
