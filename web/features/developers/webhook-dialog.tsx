import { useId, useState } from "react";
import type { Tag } from "#contract/tags.ts";
import { webhookEvents, webhookNameMaxLength, webhookUrlMaxLength } from "#contract/webhooks.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { Fault } from "./fault.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { TagChoice } from "./tag-choice.tsx";
import { typedWebhook, type WebhookDraft } from "./webhook-draft.ts";
import { eventWords } from "./webhook-labels.ts";
import css from "./webhook-dialog.module.css";

interface WebhookDialogProps {
  /** One that is there is changed. */
  isNew: boolean;
  draft: WebhookDraft;
  tags: readonly Tag[];
  onDraft: (changes: Partial<WebhookDraft>) => void;
  save: (draft: WebhookDraft) => Promise<void>;
  onClose: () => void;
}

/** An address that is told of news: where, of what, of which posts. */
export function WebhookDialog({ isNew, draft, tags, onDraft, save, onClose }: WebhookDialogProps) {
  const [initial] = useState({ url: draft.url, name: draft.name });
  const [fault, setFault] = useState<string>();
  const id = useId();

  async function submit({ url, name }: { url: string; name: string }) {
    setFault(draft.events.length === 0 ? "Select at least one event" : undefined);
    if (draft.events.length === 0) return;
    try {
      await save({ ...draft, url, name });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields.events) throw error;
      setFault(error.fields.events);
    }
  }

  return (
    <FormDialog
      title={isNew ? "Add a webhook" : "Change the webhook"}
      width="38rem"
      verb={isNew ? "Add the webhook" : "Save"}
      schema={typedWebhook}
      initialValues={initial}
      failure="The webhook was not saved. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="url"
        label="Address"
        type="url"
        placeholder="https://example.com/hooks/tidings"
        hint="A public https address. It gets a POST with JSON, signed so that you can tell it is from us."
        maxLength={webhookUrlMaxLength}
        autoFocus={isNew}
        onTyped={(url) => onDraft({ url })}
      />
      <TextField name="name" label="Name" optional maxLength={webhookNameMaxLength} onTyped={(name) => onDraft({ name })} />
      <fieldset className={css.choices} aria-describedby={fault ? id : undefined}>
        <legend>Events</legend>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={eventWords[event].label}
            note={
              <>
                <code className={css.event}>{event}</code> {eventWords[event].note}
              </>
            }
            checked={draft.events.includes(event)}
            onChange={({ target }) =>
              onDraft({ events: target.checked ? [...draft.events, event] : draft.events.filter((one) => one !== event) })
            }
          />
        ))}
        {fault && <Fault id={id} words={fault} />}
      </fieldset>
      {draft.events.some((event) => event.startsWith("post.")) && (
        <TagChoice tags={tags} chosen={draft.tags} onChange={(keys) => onDraft({ tags: keys })} />
      )}
    </FormDialog>
  );
}
