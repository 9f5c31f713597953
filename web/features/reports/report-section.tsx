import { type ComponentProps, Suspense, useId, useState } from "react";
import { newReportRecipient, type ReportRecipient, reportRecipientsMax, type Reports } from "#contract/reports.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { LateSection } from "../../components/section.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { Switch } from "../../components/switch.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { useReports } from "./use-reports.ts";
import css from "./report-section.module.css";

const ConfirmDialog = lazyPart(
  () => import("../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

/** Who gets the report of each month. Nothing without the add-on, and for others than owner and admins. */
export function ReportSection({ workspace }: { workspace: Workspace }) {
  const { role } = useCurrentWorkspace();
  const manages = role === "owner" || role === "admin";
  const isThere = useHasAddOn(manages ? workspace.id : null, "reports");
  return isThere ? <Settings workspaceId={workspace.id} /> : null;
}

function Settings({ workspaceId }: { workspaceId: string }) {
  const { data, error, reload, ...actions } = useReports(workspaceId);
  return (
    <LateSection
      title="Monthly report"
      text="On the first of each month, by mail: what was published, who read it, and what grew. A month without either has none."
      anchor="reports"
    >
      {data ? (
        <Loaded reports={data} actions={actions} />
      ) : error ? (
        <NotRead title="Who gets the report could not be read" message={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading who gets the report">
          <div className={css.waiting}>
            <Skeleton height="1.25rem" width="80%" />
            <Skeleton height="2.75rem" />
            <Skeleton height="2.75rem" />
          </div>
        </Loading>
      )}
    </LateSection>
  );
}

type Actions = Pick<ReturnType<typeof useReports>, "add" | "remove" | "setMine" | "sendNow">;

function Loaded({ reports, actions: { add, remove, setMine, sendNow } }: { reports: Reports; actions: Actions }) {
  const id = useId();
  const [busy, setBusy] = useState<"mine" | "now">();
  const [leaving, setLeaving] = useState<ReportRecipient>();
  const [added, setAdded] = useState(0);
  const { recipients, mine, next_at, last_month, held } = reports;
  const named = recipients.filter(({ kind, state }) => kind !== "owner" && state !== "stopped").length;

  async function during(what: "mine" | "now", work: () => Promise<void>, failure: string) {
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
    if (sent) toasts.success("The report is on its way", `to ${to}`);
    else
      toasts.error(
        "The mail was not taken",
        "No mail service is set up, or it refused it. Whoever runs this installation finds why in its log.",
      );
  };

  return (
    <>
      <p>
        {held ? (
          "Mails of this workspace are on hold, so no report goes out now."
        ) : (
          <>
            The next one, about {monthName(before(next_at))}, goes out on <strong className={css.moment}>{moment(next_at)}</strong>.
          </>
        )}
      </p>
      <ul role="list" aria-label="Who gets the report" className={css.recipients}>
        {recipients.map((recipient) => (
          <Recipient key={recipient.id ?? "owner"} recipient={recipient} onRemove={() => setLeaving(recipient)} />
        ))}
      </ul>
      <label htmlFor={id} className={css.mine}>
        <Switch
          id={id}
          checked={mine}
          busy={busy === "mine"}
          onChange={(gets) => void during("mine", () => setMine(gets), "This could not be saved")}
        />
        Send it to me
      </label>
      {named < reportRecipientsMax ? (
        <AddForm key={added} add={add} focused={added > 0} onAdded={() => setAdded(added + 1)} />
      ) : (
        <p className={css.note}>{reportRecipientsMax} are named, and more cannot be. Remove one first.</p>
      )}
      <Button icon="send" busy={busy === "now"} onClick={() => void during("now", send, "The report was not sent")}>
        Send me the report of {monthName(new Date(last_month))} now
      </Button>
      <Suspense>{leaving && <RemoveDialog recipient={leaving} remove={remove} onClose={() => setLeaving(undefined)} />}</Suspense>
    </>
  );
}

const monthName = (month: Date): string =>
  new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }).format(month);
/** The month that a report of this moment is about. */
const before = (at: string): Date => new Date(Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() - 1));

const states: Readonly<Record<ReportRecipient["state"], ComponentProps<typeof StateWord>>> = {
  active: { word: "Gets it", icon: "check-circle", tone: "ok" },
  asked: { word: "Asked by mail", icon: "clock", tone: "warn" },
  stopped: { word: "Stopped", icon: "times-circle", tone: "muted" },
};

function Recipient({ recipient, onRemove }: { recipient: ReportRecipient; onRemove: () => void }) {
  const { email, name, kind, state } = recipient;
  return (
    <li>
      <span className={css.who}>
        {name ?? email}
        {name !== null && <span className={css.note}>{email}</span>}
        {kind === "owner" && <span className={css.note}>Owner</span>}
      </span>
      <StateWord {...states[state]} />
      {kind === "owner" ? <span /> : <IconButton icon="times" label={`Remove ${email}`} onClick={onRemove} />}
    </li>
  );
}

function AddForm({ add, focused, onAdded }: { add: Actions["add"]; focused: boolean; onAdded: () => void }) {
  return (
    <ContractForm
      schema={newReportRecipient}
      failure="The address could not be added. Please try again later."
      onSubmit={async ({ email }) => {
        const { added, recipient } = await add({ email });
        if (recipient.state === "asked") {
          toasts.success(added ? "Asked by mail" : "Asked by mail again", `${recipient.email} gets the report once they say yes in it`);
        } else if (added) toasts.success("Added", `${recipient.email} gets the next report`);
        else toasts.warning("Nothing was changed", `${recipient.email} gets the report already`);
        onAdded();
      }}
    >
      {({ submitting }) => (
        <div className={css.line}>
          <TextField
            name="email"
            label="Add somebody"
            type="email"
            maxLength={254}
            autoComplete="off"
            placeholder="name@example.com"
            hint="Members get it at once, anybody else after saying yes."
            autoFocus={focused}
          />
          <Button type="submit" busy={submitting}>
            Add
          </Button>
        </div>
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
      toasts.success("Removed", `${email} gets no more reports`);
      onClose();
    } catch (error) {
      toasts.error("The address was not removed", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog title="No more reports?" confirm="Remove" danger busy={busy} onConfirm={() => void confirm()} onClose={onClose}>
      <p>
        {email} gets no more reports.{" "}
        {state === "stopped"
          ? "Their wish is kept: only they can start the reports again."
          : kind === "member"
            ? "You can add them again at any time."
            : "When you add the address again, its owner is asked by mail again."}
      </p>
    </ConfirmDialog>
  );
}
