import { useId } from "react";
import { z } from "zod";
import { mailSettings, type MailSettings } from "#contract/subscribers.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { Grid, Row } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { UnsavedForm } from "../../ui/unsaved-form.tsx";
import { timeZone } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { useMailSettings } from "./use-subscribers.ts";

/** Form input: empty text is null, minutes are text. */
const form = z.object({
  sender_name: z.preprocess((text) => text || null, mailSettings.shape.sender_name),
  reply_to: z.preprocess((text) => text || null, mailSettings.shape.reply_to),
  undo_minutes: z.preprocess((text) => (String(text ?? "").trim() === "" ? NaN : Number(text)), mailSettings.shape.undo_minutes),
  time_zone: mailSettings.shape.time_zone,
});

/** Email settings: on or off, sender, undo window, time zone. */
export function MailSection({ workspaceId }: { workspaceId: string }) {
  const { settings, error, reload, save } = useMailSettings(workspaceId);
  return (
    <Section
      title="Emails to readers"
      text="Readers subscribe on your public page and confirm by email. Every email has an unsubscribe link."
    >
      {settings ? (
        <Settings settings={settings} save={save} />
      ) : (
        <ListLoading label="the settings" error={error} rows={4} onRetry={() => void reload()} />
      )}
    </Section>
  );
}

function Settings({ settings, save }: { settings: MailSettings; save: (body: Partial<MailSettings>) => Promise<void> }) {
  const { run } = useAction();
  const setEnabled = (enabled: boolean) =>
    run("enable", "Couldn't save the settings", async () => {
      await save({ enabled });
      toasts.success(
        enabled ? "Emails turned on" : "Emails turned off",
        enabled ? undefined : "Readers get no emails, and the sign-up form is hidden",
      );
    });
  const { sender_name, reply_to, undo_minutes, time_zone } = settings;
  return (
    <>
      <Row justify="between" gap={4} nowrap>
        <label htmlFor="mails-on">Email updates for readers</label>
        <Switch id="mails-on" checked={settings.enabled} onChange={(enabled) => void setEnabled(enabled)} />
      </Row>
      <ContractForm
        schema={form}
        initialValues={{ sender_name: sender_name ?? "", reply_to: reply_to ?? "", undo_minutes: String(undo_minutes), time_zone }}
        failure="Couldn't save the settings. Please try again later."
        onSubmit={async (values) => {
          await save(values);
          toasts.success("Settings saved");
        }}
      >
        <Grid min="14rem">
          <TextField name="sender_name" label="Sender name" hint="Defaults to the workspace name." maxLength={80} optional />
          <TextField
            name="reply_to"
            label="Reply-to address"
            type="email"
            autoComplete="email"
            hint="Readers see this address when they reply."
            optional
          />
          <TextField
            name="undo_minutes"
            label="Undo window (minutes)"
            hint="0–60. Archive a post within this window and no email is sent."
          />
          <TimeZoneField />
        </Grid>
        <SubmitButton variant="primary">Save</SubmitButton>
        <UnsavedForm />
      </ContractForm>
    </>
  );
}

/** The browser's time zones and the saved one. */
function TimeZoneField() {
  const id = useId();
  const { input, meta } = useFormField<string>("time_zone");
  const here = timeZone();
  const zones = [...new Set([input.value, "UTC", ...Intl.supportedValuesOf("timeZone")])].filter((zone) => zone !== "");
  const error = meta.submitError && !meta.dirtySinceLastSubmit ? String(meta.submitError) : undefined;
  return (
    <FieldFrame
      id={id}
      label="Digest time zone"
      hint={`Digests are sent at 09:00 in this time zone. Yours is ${here}.`}
      error={error}
      aside={
        here !== input.value && (
          <Button variant="quiet" size="small" onClick={() => input.onChange(here)}>
            Use mine
          </Button>
        )
      }
    >
      <Select
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
        options={zones.map((zone) => [zone, zone.replaceAll("_", " ")])}
      />
    </FieldFrame>
  );
}
