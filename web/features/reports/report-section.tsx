import { type ComponentProps, Suspense, useId, useState } from "react";
import { newReportRecipient, type ReportRecipient, reportRecipientsMax, type Reports } from "#contract/reports.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { useReports } from "./use-reports.ts";

const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");

/** Recipients of the monthly report. Needs the add-on; for owner and admins. */
export function ReportSection({ workspace }: { workspace: Workspace }) {
  const { role } = useCurrentWorkspace();
  const manages = role === "owner" || role === "admin";
  const hasAddOn = useHasAddOn(manages ? workspace.id : null, "reports");
  return hasAddOn ? <Settings workspaceId={workspace.id} /> : null;
}

function Settings({ workspaceId }: { workspaceId: string }) {
  const { data, error, reload, ...actions } = useReports(workspaceId);
  return (
    <Section
      title="Monthly report"
      text="A monthly email about published posts, readers and growth. Skipped when there's nothing to report."
    >
      {data ? (
        <Loaded reports={data} actions={actions} />
      ) : error ? (
        <LoadError title="Couldn't load the recipients" message={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading the recipients">
          <Stack gap={3}>
            <Skeleton height="1.25rem" width="80%" />
            <Skeleton height="2.75rem" />
            <Skeleton height="2.75rem" />
          </Stack>
        </Loading>
      )}
    </Section>
  );
}

type Actions = Pick<ReturnType<typeof useReports>, "add" | "remove" | "setMine" | "sendNow">;

function Loaded({ reports, actions: { add, remove, setMine, sendNow } }: { reports: Reports; actions: Actions }) {
  const id = useId();
  const [busy, setBusy] = useState<"mine" | "now">();
  const [removing, setLeaving] = useState<ReportRecipient>();
  const [added, setAdded] = useState(0);
  const { recipients, mine, next_at, last_month, held } = reports;
  const addedCount = recipients.filter(({ kind, state }) => kind !== "owner" && state !== "stopped").length;

  async function runAction(what: "mine" | "now", work: () => Promise<void>, failure: string) {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      toasts.error(failure, error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }
  const send = async () => {
    const { sent, to } = await sendNow();
    if (sent) toasts.success("Report sent", `To ${to}`);
    else
      toasts.error(
        "Couldn't send the email",
        "No email service is set up, or it rejected the email. Your administrator can check the log.",
      );
  };

  return (
    <>
      <p>
        {held ? (
          "Emails from this workspace are on hold, so no reports are sent."
        ) : (
          <>
            The report for {monthName(reportMonth(next_at))} will be sent on <strong>{moment(next_at)}</strong>.
          </>
        )}
      </p>
      <List role="list" aria-label="Report recipients">
        {recipients.map((recipient) => (
          <Recipient key={recipient.id ?? "owner"} recipient={recipient} onRemove={() => setLeaving(recipient)} />
        ))}
      </List>
      <Row as="label" htmlFor={id} gap={3}>
        <Switch
          id={id}
          checked={mine}
          busy={busy === "mine"}
          onChange={(gets) => void runAction("mine", () => setMine(gets), "Couldn't save")}
        />
        Send it to me
      </Row>
      {addedCount < reportRecipientsMax ? (
        <AddForm key={added} add={add} focused={added > 0} onAdded={() => setAdded(added + 1)} />
      ) : (
        <Text size="small" tone="muted">
          You can add up to {reportRecipientsMax} recipients. Remove one first.
        </Text>
      )}
      <Button icon="send" busy={busy === "now"} onClick={() => void runAction("now", send, "Couldn't send the report")}>
        Send me the {monthName(new Date(last_month))} report now
      </Button>
      <Suspense>{removing && <RemoveDialog recipient={removing} remove={remove} onClose={() => setLeaving(undefined)} />}</Suspense>
    </>
  );
}

const monthName = (month: Date): string =>
  new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }).format(month);
/** Month covered by a report sent at this time. */
const reportMonth = (at: string): Date => new Date(Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() - 1));

const states: Readonly<Record<ReportRecipient["state"], ComponentProps<typeof StatusLabel>>> = {
  active: { label: "Active", icon: "check-circle", tone: "ok" },
  asked: { label: "Awaiting confirmation", icon: "clock", tone: "warn" },
  stopped: { label: "Stopped", icon: "times-circle", tone: "muted" },
};

function Recipient({ recipient, onRemove }: { recipient: ReportRecipient; onRemove: () => void }) {
  const { email, name, kind, state } = recipient;
  return (
    <Row as="li" gap={3}>
      <Stack as="span" gap={0} grow="12rem">
        {name ?? email}
        {name !== null && (
          <Text as="span" size="small" tone="muted">
            {email}
          </Text>
        )}
        {kind === "owner" && (
          <Text as="span" size="small" tone="muted">
            Owner
          </Text>
        )}
      </Stack>
      <StatusLabel {...states[state]} />
      {kind !== "owner" && <IconButton icon="times" label={`Remove ${email}`} onClick={onRemove} />}
    </Row>
  );
}

function AddForm({ add, focused, onAdded }: { add: Actions["add"]; focused: boolean; onAdded: () => void }) {
  return (
    <ContractForm
      schema={newReportRecipient}
      failure="Couldn't add the recipient. Please try again later."
      onSubmit={async ({ email }) => {
        const { added, recipient } = await add({ email });
        if (recipient.state === "asked") {
          toasts.success(added ? "Confirmation sent" : "Confirmation sent again", `We emailed ${recipient.email} to confirm`);
        } else if (added) toasts.success("Recipient added", `${recipient.email} gets the next report`);
        else toasts.warning("No changes", `${recipient.email} already gets the report`);
        onAdded();
      }}
    >
      {({ submitting }) => (
        <FieldWithButton>
          <TextField
            name="email"
            label="Add recipient"
            type="email"
            maxLength={254}
            autoComplete="off"
            placeholder="name@example.com"
            hint="Members are added right away. Everyone else confirms by email first."
            autoFocus={focused}
          />
          <Button type="submit" busy={submitting}>
            Add
          </Button>
        </FieldWithButton>
      )}
    </ContractForm>
  );
}

interface RemoveDialogProps {
  recipient: ReportRecipient;
  remove: Actions["remove"];
  onClose: () => void;
}

function RemoveDialog({ recipient: { id, email, kind, state }, remove, onClose }: RemoveDialogProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    if (id === null) return;
    setBusy(true);
    try {
      await remove(id);
      toasts.success("Recipient removed", `${email} won't get any more reports`);
      onClose();
    } catch (error) {
      toasts.error("Couldn't remove the recipient", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog title="Remove recipient?" confirm="Remove" danger busy={busy} onConfirm={() => void confirm()} onClose={onClose}>
      <p>
        {email} won't get any more reports.{" "}
        {state === "stopped"
          ? "They unsubscribed, so only they can start the reports again."
          : kind === "member"
            ? "You can add them again at any time."
            : "If you add them again, they must confirm by email again."}
      </p>
    </ConfirmDialog>
  );
}
