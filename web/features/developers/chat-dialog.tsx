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
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { useAnswer } from "./use-answer.ts";
import { Fault } from "./fault.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { TagChoice } from "./tag-choice.tsx";
import { typedChange, typedWebhook, type WebhookDraft } from "./webhook-draft.ts";
import { chatWords, eventWords } from "./webhook-labels.ts";
import css from "./webhook-dialog.module.css";

type Chat = Exclude<WebhookKind, "webhook">;
const chats = Object.keys(chatWords) as Chat[];

interface ChatDialogProps {
  workspaceId: string;
  /** Of one that is there: what of its address may be shown. */
  shownUrl?: string;
  draft: WebhookDraft;
  tags: readonly Tag[];
  onDraft: (changes: Partial<WebhookDraft>) => void;
  save: (draft: Partial<WebhookDraft>) => Promise<void>;
  onClose: () => void;
}

/** A channel that gets messages: its address, of what, and how one looks. */
export function ChatDialog({ workspaceId, shownUrl, draft, tags, onDraft, save, onClose }: ChatDialogProps) {
  const isNew = shownUrl === undefined;
  const [initial] = useState({ url: draft.url, name: draft.name });
  const [fault, setFault] = useState<string>();
  const kind = draft.kind as Chat;
  const { name: chat, how, placeholder, docs } = chatWords[kind];

  async function submit({ url, name }: { url: string; name: string }) {
    setFault(draft.events.length === 0 ? "Select at least one event" : undefined);
    if (draft.events.length === 0) return;
    try {
      await save({ events: draft.events, tags: draft.tags, kind, name, ...(url && { url }) });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields.events) throw error;
      setFault(error.fields.events);
    }
  }

  return (
    <FormDialog
      title={isNew ? "Connect a chat" : `Change ${draft.name || chat}`}
      width="38rem"
      verb={isNew ? "Connect" : "Save"}
      schema={isNew ? typedWebhook : (typedChange as unknown as typeof typedWebhook)}
      initialValues={initial}
      failure="The chat was not saved. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
      {isNew && (
        <ChoiceGroup
          legend="Chat"
          choices={chats.map((value) => ({ value, label: chatWords[value].name }))}
          value={kind}
          onChange={(kind) => onDraft({ kind })}
        />
      )}
      <TextField
        name="url"
        label="Address of the channel"
        type="url"
        optional={!isNew}
        placeholder={isNew ? placeholder : shownUrl}
        hint={
          isNew ? (
            <>
              {how}{" "}
              <a href={docs} target="_blank" rel="noreferrer">
                More about it
              </a>
            </>
          ) : (
            "Stays as it is unless you paste another one. Whoever has it can write into the channel, so it is not shown."
          )
        }
        maxLength={webhookUrlMaxLength}
        autoFocus={isNew}
        onTyped={(url) => {
          const said = kindOfAddress(url);
          onDraft(isNew && said !== "webhook" ? { url, kind: said } : { url });
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
      <fieldset className={css.choices}>
        <legend>Messages</legend>
        {chatEvents.map((event) => (
          <Checkbox
            key={event}
            label={eventWords[event].label}
            checked={draft.events.includes(event)}
            onChange={({ target }) =>
              onDraft({ events: target.checked ? [...draft.events, event] : draft.events.filter((one) => one !== event) })
            }
          />
        ))}
        {fault && <Fault id="chat-events" words={fault} />}
      </fieldset>
      <TagChoice tags={tags} chosen={draft.tags} onChange={(keys) => onDraft({ tags: keys })} />
      <Preview workspaceId={workspaceId} kind={kind} tags={tags} />
    </FormDialog>
  );
}

/** A message as the channel will show it, of the newest published post. */
function Preview({ workspaceId, kind, tags }: { workspaceId: string; kind: Chat; tags: readonly Tag[] }) {
  const { answer, failed, again } = useAnswer(`${workspaceId} ${kind}`, () =>
    call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind } }),
  );
  return (
    <section className={css.preview} aria-label="Preview of a message">
      <h3>{answer?.example ? "A message, for example" : "A message, with your latest post"}</h3>
      {failed ? (
        <p className={css.note}>
          The preview could not be made.{" "}
          <Button size="small" onClick={again}>
            Try again
          </Button>
        </p>
      ) : !answer ? (
        <Skeleton height="5rem" />
      ) : (
        <div className={css.message}>
          <strong>{answer.shown.title}</strong>
          <p>{answer.shown.text}</p>
          {answer.shown.tags.length > 0 && <p className={css.note}>{answer.shown.tags.map((key) => tagOf(key, tags).label).join(" · ")}</p>}
          {answer.shown.url && <p className={css.note}>{answer.shown.url}</p>}
        </div>
      )}
    </section>
  );
}
