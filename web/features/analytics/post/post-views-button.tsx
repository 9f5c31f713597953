import { Suspense, useState } from "react";
import { analyticsEndpoints } from "#contract/analytics.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { useCall } from "../../../lib/use-call.ts";
import { formatCount, figureLabels } from "../metric-labels.ts";

const PostNumbersDialog = lazyPart(() => import("./post-numbers-dialog.tsx"), "PostNumbersDialog");

interface PostViewsButtonProps {
  workspaceId: string;
  postId: string;
}

/** "1,234 views in 30 days"; hidden while loading or on errors. */
export function PostViewsButton({ workspaceId, postId }: PostViewsButtonProps) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(analyticsEndpoints.post, { params: { workspaceId, postId } }, { revalidateOnFocus: false });
  if (!data) return null;
  return (
    <>
      <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {formatCount(data.totals.views, figureLabels.views)} in 30 days
      </Button>
      {open && (
        <Suspense>
          <PostNumbersDialog workspaceId={workspaceId} numbers={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
