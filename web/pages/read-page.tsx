import { useEffect } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { accessEndpoints } from "#contract/access.ts";
import { useCall } from "../lib/use-call.ts";
import { Text } from "../ui/layout.tsx";
import { PageLoading } from "../ui/page-loading.tsx";

/** Leads a member to the private changelog, where the reader's cookie belongs. */
export function Component() {
  const { workspaceId = "" } = useParams();
  const [query] = useSearchParams();
  const { data, error } = useCall(accessEndpoints.enter, { params: { workspaceId } });
  const to = query.get("to");
  useEffect(() => {
    if (data) window.location.replace(to === null ? data.url : `${data.url}?${new URLSearchParams({ to })}`);
  }, [data, to]);
  return error ? <Text tone="muted">Couldn't open the changelog. Only members of the workspace can.</Text> : <PageLoading />;
}
