import { operatorEndpoints } from "#contract/operator.ts";
import { ListNotRead } from "../components/list-not-read.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Overview } from "../features/operator/overview.tsx";
import { PersonPage } from "../features/session/person-page.tsx";
import { useCall } from "../lib/use-call.ts";
import { Component as NotFound } from "./not-found-page.tsx";

/** The installation, for its operator; everybody else is told that there is no such page. */
export function Component() {
  const { data, error, mutate } = useCall(operatorEndpoints.overview, {}, { shouldRetryOnError: false });
  if (error?.code === "not_found") return <NotFound />;
  return (
    <PersonPage>
      <PageTitle title="Installation" subtitle={data && `Tidings ${data.version}`} />
      {data ? (
        <Overview overview={data} onChange={() => mutate()} />
      ) : (
        <ListNotRead what="the overview" error={error} rows={6} onRetry={() => void mutate()} />
      )}
    </PersonPage>
  );
}
