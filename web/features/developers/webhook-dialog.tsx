import { useId, useState } from "react";
import type { Tag } from "#contract/tags.ts";
import { webhookEvents, webhookNameMaxLength, webhookUrlMaxLength } from "#contract/webhooks.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Grid, Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { Fault } from "./fault.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { TagChoice } from "./tag-choice.tsx";
import { webhookForm, type WebhookDraft } from "./webhook-draft.ts";
import { eventLabels } from "./webhook-labels.ts";

interface WebhookDialogProps {
  isNew: boolean;
  draft: WebhookDraft;
  tags: readonly Tag[];
  onDraft: (changes: Partial<WebhookDraft>) => void;
  save: (draft: WebhookDraft) => Promise<void>;
  onClose: () => void;
}

export function WebhookDialog({ isNew, draft, tags, onDraft, save, onClose }: WebhookDialogProps) {
  const [initial] = useState({ url: draft.url, name: draft.name });
  const [eventsError, setEventsError] = useState<string>();
  const id = useId();

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
      title={isNew ? "Add webhook" : "Edit webhook"}
      width="38rem"
      verb={isNew ? "Add webhook" : "Save"}
      schema={webhookForm}
      initialValues={initial}
      failure="Couldn't save the webhook. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
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
      <TextField name="name" label="Name" optional maxLength={webhookNameMaxLength} onTyped={(name) => onDraft({ name })} />
      <Grid as="fieldset" min="15rem" gap={2} aria-describedby={eventsError ? id : undefined}>
        <legend>Events</legend>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={eventLabels[event].label}
            note={
              <>
                <Text as="code" size="code" tone="muted">
                  {event}
                </Text>{" "}
                {eventLabels[event].note}
              </>
            }
            checked={draft.events.includes(event)}
            onChange={({ target }) =>
              onDraft({ events: target.checked ? [...draft.events, event] : draft.events.filter((one) => one !== event) })
            }
          />
        ))}
        {eventsError && <Fault id={id} words={eventsError} />}
      </Grid>
      {draft.events.some((event) => event.startsWith("post.")) && (
        <TagChoice tags={tags} chosen={draft.tags} onChange={(keys) => onDraft({ tags: keys })} />
      )}
    </FormDialog>
  );
}
