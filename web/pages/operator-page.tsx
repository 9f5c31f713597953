import { operatorEndpoints } from "#contract/operator.ts";
import { ListLoading } from "../ui/list-loading.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { OperatorLog, Overview } from "../features/operator/overview.tsx";
import { PersonList } from "../features/operator/person-list.tsx";
import { WorkspaceList } from "../features/operator/workspace-list.tsx";
import { PersonPage } from "../features/account/person-page.tsx";
import { useCall } from "../lib/use-call.ts";
import { Component as NotFound } from "./not-found-page.tsx";
import { Stack } from "../ui/layout.tsx";

/** The installation, for its operator; everybody else is told that there is no such page. */
export function Component() {
  const { data, error, mutate } = useCall(operatorEndpoints.overview, {}, { shouldRetryOnError: false });
  if (error?.code === "not_found") return <NotFound />;
  return (
    <PersonPage back>
      <Stack gap={12}>
        <PageTitle title="Installation" subtitle={data && `Tidings ${data.version}`} />
        {data ? <Overview overview={data} /> : <ListLoading label="the overview" error={error} rows={6} onRetry={() => void mutate()} />}
        {(data ?? error) && (
          <>
            <WorkspaceList />
            <PersonList />
          </>
        )}
        {data && <OperatorLog log={data.log} />}
      </Stack>
    </PersonPage>
  );
}
