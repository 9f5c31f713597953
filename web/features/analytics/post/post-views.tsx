import { Suspense } from "react";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { useHasAddOn } from "../../add-ons/use-add-ons.ts";

const PostViewsButton = lazyPart(() => import("./post-views-button.tsx"), "PostViewsButton", { fallback: () => null });

interface PostViewsProps {
  workspaceId: string;
  postId: string;
}

/** View count of a post; loads nothing without the add-on. */
export function PostViews(props: PostViewsProps) {
  const hasAnalytics = useHasAddOn(props.workspaceId, "analytics");
  if (!hasAnalytics) return null;
  return (
    <Suspense>
      <PostViewsButton {...props} />
    </Suspense>
  );
}
