import { Suspense, useState } from "react";
import { analyticsEndpoints } from "#contract/analytics.ts";
import { Button } from "../../../components/button.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { useCall } from "../../../lib/use-call.ts";
import { amount, drawnWords } from "../metric-labels.ts";

const PostNumbersDialog = lazyPart(
  () => import("./post-numbers-dialog.tsx"),
  (part) => part.PostNumbersDialog,
);

interface PostViewsButtonProps {
  workspaceId: string;
  postId: string;
}

/** "1,234 views in 30 days", which opens the rest. Says nothing until it knows, or when it cannot. */
export function PostViewsButton({ workspaceId, postId }: PostViewsButtonProps) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(analyticsEndpoints.post, { params: { workspaceId, postId } }, { revalidateOnFocus: false });
  if (!data) return null;
  return (
    <>
      <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {amount(data.totals.views, drawnWords.views)} in 30 days
      </Button>
      {open && (
        <Suspense>
          <PostNumbersDialog workspaceId={workspaceId} numbers={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
