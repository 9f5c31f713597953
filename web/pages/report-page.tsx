import { useState } from "react";
import { useParams } from "react-router-dom";
import { type ReportAction, reportEndpoints, type ReportLink } from "#contract/reports.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { ApiError, call } from "../lib/api-client.ts";
import { paths } from "../lib/paths.ts";
import { useCall } from "../lib/use-call.ts";

/** Target of report links, without sign-in. Only its buttons change anything, so mail scanners that open it do no harm. */
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
        text="It's incomplete, or its recipient was removed. You won't get any reports through it."
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
  /** The recipient was removed meanwhile. */
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
      title={state === "asked" ? "Confirm your reports" : "Monthly report"}
      text={
        state === "asked" ? (
          <>
            Send the monthly report for {workspace} to {address}? It covers published posts, readers and growth.
          </>
        ) : state === "active" ? (
          <>
            We email the report for {workspace} to {address} on the 1st of each month.
          </>
        ) : (
          <>
            {address} doesn't get reports for {workspace}.
          </>
        )
      }
    >
      <p role="status">{done === "start" ? "You'll get the reports." : done === "stop" ? "You won't get any more reports." : null}</p>
      {refused && <FormError message={refused.message} />}
      {state === "asked" && choice("start", "Yes, send me the reports", "primary")}
      {state === "asked" && choice("stop", "No, thanks", "quiet")}
      {state === "active" && choice("stop", "Stop these reports", done === undefined ? "primary" : undefined)}
      {state === "stopped" && choice("start", "Send me the reports again", done === undefined ? "primary" : undefined)}
    </NarrowPage>
  );
}
