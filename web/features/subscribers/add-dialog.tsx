import { useId, useState } from "react";
import type { z } from "zod";
import { newSubscriber, type subscriberEndpoints } from "#contract/subscribers.ts";
import { frequencies, type Frequency } from "#contract/subscriptions.ts";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Grid, Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toasts } from "../../lib/toasts.ts";
import { frequencyLabels, statusLabels } from "./status-labels.ts";

const form = newSubscriber.pick({ email: true });

interface AddDialogProps {
  topics: readonly Tag[];
  add: (body: z.input<typeof newSubscriber>) => Promise<z.output<typeof subscriberEndpoints.add.response>>;
  onClose: () => void;
}

export function AddDialog({ topics, add, onClose }: AddDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [frequency, setFrequency] = useState<Frequency>("instant");
  const [tags, setTags] = useState<readonly string[]>([]);

  async function submit({ email }: z.output<typeof form>) {
    setBusy(true);
    const { added, subscriber } = await add({ email, frequency, tags: [...tags] }).finally(() => setBusy(false));
    if (subscriber.status === "pending") {
      toasts.success(added ? "Confirmation sent" : "Confirmation sent again", `We emailed ${subscriber.email} to confirm`);
    } else {
      const { label } = statusLabels[subscriber.status];
      toasts.warning("No changes", `${subscriber.email} is already on the list: ${label.toLowerCase()}`);
    }
    onClose();
  }

  return (
    <Dialog
      open
      title="Add subscriber"
      width="32rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Send confirmation
          </Button>
        </>
      }
    >
      <ContractForm
        id={formId}
        schema={form}
        initialValues={{ email: "" }}
        failure="Couldn't add the subscriber. Please try again."
        onSubmit={submit}
      >
        {() => (
          <>
            <Text tone="muted">We'll email them to confirm.</Text>
            <TextField name="email" label="Email address" type="email" maxLength={254} autoFocus />
            <ChoiceGroup
              legend="Frequency"
              choices={frequencies.map((value) => ({ value, label: frequencyLabels[value] }))}
              value={frequency}
              onChange={setFrequency}
            />
            <Grid as="fieldset" min="11rem" gap={2}>
              <legend>Topics</legend>
              <Text size="small" tone="muted" style={{ gridColumn: "1 / -1" }}>
                Leave all unchecked to send everything. They can change this themselves.
              </Text>
              {topics.map(({ key, label }) => (
                <Checkbox
                  key={key}
                  label={label}
                  checked={tags.includes(key)}
                  onChange={({ target }) => setTags(target.checked ? [...tags, key] : tags.filter((tag) => tag !== key))}
                />
              ))}
            </Grid>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}
