import { useId, useState } from "react";
import type { z } from "zod";
import { newSubscriber, type subscriberEndpoints } from "#contract/subscribers.ts";
import { frequencies, type Frequency } from "#contract/subscriptions.ts";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { toasts } from "../../lib/toasts.ts";
import { rhythmWords, statusWords } from "./status-labels.ts";
import css from "./add-dialog.module.css";

const form = newSubscriber.pick({ email: true });

interface AddDialogProps {
  topics: readonly Tag[];
  add: (body: z.input<typeof newSubscriber>) => Promise<z.output<typeof subscriberEndpoints.add.response>>;
  onClose: () => void;
}

/** One reader who is asked by mail. */
export function AddDialog({ topics, add, onClose }: AddDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [frequency, setFrequency] = useState<Frequency>("instant");
  const [tags, setTags] = useState<readonly string[]>([]);

  async function submit({ email }: z.output<typeof form>) {
    setBusy(true);
    const { added, subscriber } = await add({ email, frequency, tags: [...tags] }).finally(() => setBusy(false));
    if (subscriber.status === "pending") {
      toasts.success(added ? "Asked by mail" : "Asked by mail again", `${subscriber.email} is subscribed once they press the button in it`);
    } else {
      const { word } = statusWords[subscriber.status];
      toasts.warning("Nothing was changed", `${subscriber.email} is in the list already: ${word.toLowerCase()}`);
    }
    onClose();
  }

  return (
    <Dialog
      open
      title="Add a subscriber"
      width="32rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Ask by mail
          </Button>
        </>
      }
    >
      <ContractForm
        id={formId}
        schema={form}
        initialValues={{ email: "" }}
        failure="The subscriber was not added. Please try again."
        onSubmit={submit}
      >
        {() => (
          <>
            <p className={css.what}>They get one mail and are subscribed once they say yes in it.</p>
            <TextField name="email" label="Email address" type="email" maxLength={254} autoFocus />
            <ChoiceGroup
              legend="How often"
              choices={frequencies.map((value) => ({ value, label: rhythmWords[value] }))}
              value={frequency}
              onChange={setFrequency}
            />
            <fieldset className={css.topics}>
              <legend>Topics</legend>
              <p className={css.what}>Leave all unchecked for everything. Subscribers can change this.</p>
              {topics.map(({ key, label }) => (
                <Checkbox
                  key={key}
                  label={label}
                  checked={tags.includes(key)}
                  onChange={({ target }) => setTags(target.checked ? [...tags, key] : tags.filter((tag) => tag !== key))}
                />
              ))}
            </fieldset>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}
