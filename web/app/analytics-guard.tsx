import { Suspense } from "react";
import { Outlet, useLocation, useNavigate } from "react-router-dom";
import { Failure } from "../ui/empty-state.tsx";
import { Stack } from "../ui/layout.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { addOnStatus, useAddOns } from "../features/add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { paths } from "../lib/paths.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const SampleReport = lazyPart(() => import("../features/analytics/sample-report.tsx"), "SampleReport");
const UpgradeDialog = lazyPart(() => import("../features/add-ons/upgrade-dialog.tsx"), "UpgradeDialog");

/** Requires the analytics add-on, and offers it otherwise. Source: specification, sections 2 and 6. */
export function Component() {
  const { workspace } = useCurrentWorkspace();
  const { data, error, mutate } = useAddOns(workspace.id);
  const navigate = useNavigate();
  const { key } = useLocation();
  const status = data && addOnStatus(data);
  if (status?.owned.includes("analytics")) return <Outlet />;

  const back = () => void (key === "default" ? navigate(paths.dashboard(workspace.id), { replace: true }) : navigate(-1));
  return (
    <Stack gap={8}>
      <PageTitle title="Analytics" subtitle={status && "A sample of the report"} context={workspace.name} />
      {error && !status && <Failure title="Couldn't load analytics" text={error.message} onRetry={() => void mutate()} />}
      {!error && !status && (
        <Loading label="Loading">
          <Skeleton width="60%" height="1.5rem" />
        </Loading>
      )}
      {status && (
        <Suspense>
          <SampleReport />
        </Suspense>
      )}
      {status && (
        <Suspense>
          <UpgradeDialog
            status={status}
            preselected={["analytics"]}
            onBack={back}
            onUpgrade={(chosen) => void navigate(paths.upgrade({ workspace: workspace.id, "add-ons": chosen.join(",") }))}
          />
        </Suspense>
      )}
    </Stack>
  );
}
