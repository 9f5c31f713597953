import { type ComponentProps, Suspense, useId, useState } from "react";
import { newReportRecipient, reportEndpoints, type ReportRecipient, reportRecipientsMax, type Reports } from "#contract/reports.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { List, Note, Row } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall, type Write } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { sendToMe } from "../../lib/send-to-me.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

/** Recipients of the monthly report. Needs the add-on; for owner and admins. */
export function ReportSection({ workspace }: { workspace: Workspace }) {
  const { role } = useCurrentWorkspace();
  const manages = role === "owner" || role === "admin";
  const hasAddOn = useHasAddOn(manages ? workspace.id : null, "reports");
  return hasAddOn ? <Settings workspaceId={workspace.id} /> : null;
}

function Settings({ workspaceId }: { workspaceId: string }) {
  const { data, error, mutate, write } = useCall(reportEndpoints.read, { params: { workspaceId } });
  return (
    <Section
      anchor="reports"
      title="Monthly report"
      text="A monthly email about published posts, readers and growth. Skipped when there's nothing to report."
    >
      {data ? (
        <Loaded workspaceId={workspaceId} reports={data} write={write} />
      ) : (
        <ListLoading label="the recipients" error={error} rows={3} onRetry={() => void mutate()} />
      )}
    </Section>
  );
}

interface LoadedProps {
  workspaceId: string;
  reports: Reports;
  write: Write;
}

function Loaded({ workspaceId, reports: { recipients, mine, next_at, last_month, held }, write }: LoadedProps) {
  const id = useId();
  const params = { workspaceId };
  const { running, run } = useAction();
  const [removing, setRemoving] = useState<ReportRecipient>();
  const [added, setAdded] = useState(0);
  const addedCount = recipients.filter(({ kind, state }) => kind !== "owner" && state !== "stopped").length;

  async function add(body: { email: string }) {
    const { added: isNew, recipient } = await write(reportEndpoints.add, { params, body });
    if (recipient.state === "asked") {
      toasts.success(isNew ? "Confirmation sent" : "Confirmation sent again", `We emailed ${recipient.email} to confirm`);
    } else if (isNew) toasts.success("Recipient added", `${recipient.email} gets the next report`);
    else toasts.warning("No changes", `${recipient.email} already gets the report`);
    setAdded(added + 1);
  }
  const sendNow = () => sendToMe("Report sent", call(reportEndpoints.preview, { params }));

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
          <Recipient key={recipient.id ?? "owner"} recipient={recipient} onRemove={() => setRemoving(recipient)} />
        ))}
      </List>
      <Row as="label" htmlFor={id} gap={3}>
        <Switch
          id={id}
          checked={mine}
          busy={running === "mine"}
          onChange={(gets) => void run("mine", "Couldn't save", () => write(reportEndpoints.setMine, { params, body: { gets } }))}
        />
        Send it to me
      </Row>
      {addedCount < reportRecipientsMax ? (
        <ContractForm key={added} schema={newReportRecipient} failure="Couldn't add the recipient. Please try again later." onSubmit={add}>
          <FieldWithButton>
            <TextField
              name="email"
              label="Add recipient"
              type="email"
              maxLength={254}
              autoComplete="off"
              placeholder="name@example.com"
              hint="Members are added right away. Everyone else confirms by email first."
              autoFocus={added > 0}
            />
            <SubmitButton>Add</SubmitButton>
          </FieldWithButton>
        </ContractForm>
      ) : (
        <Note>You can add up to {reportRecipientsMax} recipients. Remove one first.</Note>
      )}
      <Button icon="send" busy={running === "now"} onClick={() => void run("now", "Couldn't send the report", sendNow)}>
        Send me the {monthName(new Date(last_month))} report now
      </Button>
      <Suspense>
        {removing && (
          <ConfirmAction
            title="Remove recipient?"
            confirm="Remove"
            danger
            failure="Couldn't remove the recipient"
            act={async () => {
              await write(reportEndpoints.remove, { params: { workspaceId, recipientId: removing.id! } });
              toasts.success("Recipient removed", `${removing.email} won't get any more reports`);
            }}
            onClose={() => setRemoving(undefined)}
          >
            <p>
              {removing.email} won't get any more reports.{" "}
              {removing.state === "stopped"
                ? "They unsubscribed, so only they can start the reports again."
                : removing.kind === "member"
                  ? "You can add them again at any time."
                  : "If you add them again, they must confirm by email again."}
            </p>
          </ConfirmAction>
        )}
      </Suspense>
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
    <ListItem title={name ?? email} note={[name !== null && email, kind === "owner" && "Owner"].filter(Boolean).join(" · ")}>
      <StatusLabel {...states[state]} />
      {kind !== "owner" && <IconButton icon="times" label={`Remove ${email}`} onClick={onRemove} />}
    </ListItem>
  );
}
