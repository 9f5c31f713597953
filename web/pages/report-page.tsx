import { useState } from "react";
import { useParams } from "react-router-dom";
import { type ReportAction, reportEndpoints, type ReportLink } from "#contract/reports.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { FormError } from "../components/form-error.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { Loading, Skeleton } from "../components/skeleton.tsx";
import { ApiError, call } from "../lib/api-client.ts";
import { paths } from "../lib/paths.ts";
import { useCall } from "../lib/use-call.ts";

/** Where the links in reports lead, for whoever got one. Only its buttons change anything: a mail scanner that opens the address changes nothing. */
export function Component() {
  const { token = "" } = useParams();
  const { data, error, mutate } = useCall(
    reportEndpoints.link,
    { params: { token } },
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
  if (error?.code === "not_found") {
    return (
      <NarrowPage
        title="This link no longer works"
        text="It is incomplete, or whoever it belonged to is off the list. No reports come by it."
      >
        <ButtonLink to={paths.home} variant="primary" wide>
          Go to Tidings
        </ButtonLink>
      </NarrowPage>
    );
  }
  if (data)
    return (
      <Choice link={data} token={token} onChanged={(state) => mutate({ ...data, state }, { revalidate: false })} onGone={() => mutate()} />
    );
  if (error) {
    return (
      <NarrowPage title="Monthly report">
        <FormError message={error.message} />
        <Button icon="refresh" wide onClick={() => void mutate()}>
          Try again
        </Button>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title="Monthly report">
      <Loading label="Loading">
        <Skeleton height="2.75rem" />
      </Loading>
    </NarrowPage>
  );
}

interface ChoiceProps {
  link: ReportLink;
  token: string;
  onChanged: (state: ReportLink["state"]) => Promise<unknown>;
  /** The link became nobody's meanwhile. */
  onGone: () => Promise<unknown>;
}

function Choice({ link: { workspace, email, state }, token, onChanged, onGone }: ChoiceProps) {
  const [busy, setBusy] = useState<ReportAction>();
  const [refused, setRefused] = useState<ApiError>();
  const [done, setDone] = useState<ReportAction>();

  async function choose(action: ReportAction) {
    setBusy(action);
    setRefused(undefined);
    try {
      await call(reportEndpoints.change, { params: { token }, query: { action } });
      await onChanged(action === "start" ? "active" : "stopped");
      setDone(action);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "not_found") await onGone();
      else setRefused(error);
    } finally {
      setBusy(undefined);
    }
  }
  const choice = (action: ReportAction, label: string, variant?: "primary" | "quiet") => (
    <Button variant={variant} wide busy={busy === action} onClick={() => void choose(action)}>
      {label}
    </Button>
  );

  const address = <strong>{email}</strong>;
  return (
    <NarrowPage
      title={state === "asked" ? "One click to go" : "Monthly report"}
      text={
        state === "asked" ? (
          <>
            Shall the monthly report of {workspace} go to {address}? It tells what was published, who read it, and what grew.
          </>
        ) : state === "active" ? (
          <>
            The report of {workspace} goes to {address} on the first of each month.
          </>
        ) : (
          <>
            No reports of {workspace} go to {address}.
          </>
        )
      }
    >
      <p role="status">{done === "start" ? "You will get the reports." : done === "stop" ? "Done. No more reports will come." : null}</p>
      {refused && <FormError message={refused.message} />}
      {state === "asked" && choice("start", "Yes, send me the reports", "primary")}
      {state === "asked" && choice("stop", "No, thanks", "quiet")}
      {state === "active" && choice("stop", "Stop these reports", done === undefined ? "primary" : undefined)}
      {state === "stopped" && choice("start", "Send me the reports again", done === undefined ? "primary" : undefined)}
    </NarrowPage>
  );
}
