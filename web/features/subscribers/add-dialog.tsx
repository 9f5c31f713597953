import { useState } from "react";
import type { z } from "zod";
import { newSubscriber, type subscriberEndpoints } from "#contract/subscribers.ts";
import { frequencies, type Frequency } from "#contract/subscriptions.ts";
import type { Tag } from "#contract/tags.ts";
import { Checkboxes, CheckboxGroup } from "../../ui/checkbox-group.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Text } from "../../ui/layout.tsx";
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
  const [frequency, setFrequency] = useState<Frequency>("instant");
  const [tags, setTags] = useState<string[]>([]);

  async function submit({ email }: z.output<typeof form>) {
    const { added, subscriber } = await add({ email, frequency, tags });
    if (subscriber.status === "pending") {
      toasts.success(added ? "Confirmation sent" : "Confirmation sent again", `We emailed ${subscriber.email} to confirm`);
    } else {
      const { label } = statusLabels[subscriber.status];
      toasts.warning("No changes", `${subscriber.email} is already on the list: ${label.toLowerCase()}`);
    }
    onClose();
  }

  return (
    <FormDialog
      title="Add subscriber"
      width="32rem"
      verb="Send confirmation"
      schema={form}
      initialValues={{ email: "" }}
      failure="Couldn't add the subscriber. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
      <Text tone="muted">We'll email them to confirm.</Text>
      <TextField name="email" label="Email address" type="email" maxLength={254} autoFocus />
      <ChoiceGroup
        legend="Frequency"
        choices={frequencies.map((value) => ({ value, label: frequencyLabels[value] }))}
        value={frequency}
        onChange={setFrequency}
      />
      <CheckboxGroup legend="Topics" hint="Leave all unchecked to send everything. They can change this themselves." min="11rem">
        <Checkboxes options={topics.map(({ key, label }) => ({ value: key, label }))} chosen={tags} onChange={setTags} />
      </CheckboxGroup>
    </FormDialog>
  );
}
