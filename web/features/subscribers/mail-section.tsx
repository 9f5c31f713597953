import { useId } from "react";
import { useFormState } from "react-final-form";
import { z } from "zod";
import { mailSettings, type MailSettings } from "#contract/subscribers.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Failure } from "../../components/failure.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { Section } from "../../components/section.tsx";
import { Switch } from "../../components/switch.tsx";
import { TextField } from "../../components/text-field.tsx";
import { UnsavedGuard } from "../../components/unsaved-guard.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { timeZone } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { useMailSettings } from "./use-subscribers.ts";
import css from "./mail-section.module.css";

/** What is typed: an empty field is none, minutes are digits. */
const form = z.object({
  sender_name: z.preprocess((text) => text || null, mailSettings.shape.sender_name),
  reply_to: z.preprocess((text) => text || null, mailSettings.shape.reply_to),
  undo_minutes: z.preprocess((text) => (String(text ?? "").trim() === "" ? NaN : Number(text)), mailSettings.shape.undo_minutes),
  time_zone: mailSettings.shape.time_zone,
});

/** Whether readers get mails, in whose name, when, and how long a publication can be taken back before they do. */
export function MailSection({ workspaceId }: { workspaceId: string }) {
  const { settings, error, reload, save } = useMailSettings(workspaceId);
  return (
    <Section title="Mails to readers" text="Readers subscribe on your public page and confirm by mail. Each mail has a way out.">
      {settings ? (
        <Settings settings={settings} save={save} />
      ) : error ? (
        <Failure title="The settings could not be read" text={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading the settings">
          <Skeleton height="12rem" />
        </Loading>
      )}
    </Section>
  );
}

function Settings({ settings, save }: { settings: MailSettings; save: (body: Partial<MailSettings>) => Promise<void> }) {
  async function turn(enabled: boolean) {
    try {
      await save({ enabled });
      toasts.success(
        enabled ? "Mails are on" : "Mails are off",
        enabled ? undefined : "Nobody gets mails, and the form is gone from your page",
      );
    } catch (error) {
      toasts.error("The settings were not saved", error instanceof ApiError ? error.message : "Please try again later");
    }
  }
  const { sender_name, reply_to, undo_minutes, time_zone } = settings;
  return (
    <>
      <div className={css.switch}>
        <label htmlFor="mails-on">Readers can subscribe and get mails</label>
        <Switch id="mails-on" checked={settings.enabled} onChange={(enabled) => void turn(enabled)} />
      </div>
      <ContractForm
        schema={form}
        initialValues={{ sender_name: sender_name ?? "", reply_to: reply_to ?? "", undo_minutes: String(undo_minutes), time_zone }}
        failure="The settings could not be saved. Please try again later."
        onSubmit={async (values) => {
          await save(values);
          toasts.success("Settings saved");
        }}
      >
        {({ submitting }) => (
          <>
            <TextField name="sender_name" label="Sender's name" hint="The name of the workspace when empty." maxLength={80} optional />
            <TextField
              name="reply_to"
              label="Answers go to"
              type="email"
              autoComplete="email"
              hint="Readers see this address when they answer a mail."
              optional
            />
            <TextField
              name="undo_minutes"
              label="Minutes in which publishing can be taken back"
              hint="0 to 60. A post that is archived until then is mailed to nobody."
            />
            <TimeZoneField />
            <div>
              <Button type="submit" variant="primary" busy={submitting}>
                Save
              </Button>
            </div>
            <Unsaved saving={submitting} />
          </>
        )}
      </ContractForm>
    </>
  );
}

function Unsaved({ saving }: { saving: boolean }) {
  const { dirty } = useFormState({ subscription: { dirty: true } });
  return dirty && !saving ? (
    <UnsavedGuard>The settings of mails have changes that are not saved. If you leave, they are lost.</UnsavedGuard>
  ) : null;
}

/** All zones this browser knows, and the one that is set. */
function TimeZoneField() {
  const id = useId();
  const { input, meta } = useFormField<string>("time_zone");
  const here = timeZone();
  const zones = [...new Set([input.value, "UTC", ...Intl.supportedValuesOf("timeZone")])].filter((zone) => zone !== "");
  const error = meta.submitError && !meta.dirtySinceLastSubmit ? String(meta.submitError) : undefined;
  return (
    <FieldFrame
      id={id}
      label="Time zone of digests"
      hint={`They go out at nine in the morning there. Yours is ${here}.`}
      error={error}
      aside={
        here !== input.value && (
          <Button variant="quiet" size="small" onClick={() => input.onChange(here)}>
            Use mine
          </Button>
        )
      }
    >
      <select
        {...input}
        id={id}
        className={css.select}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
