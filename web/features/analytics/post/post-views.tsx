import { Suspense } from "react";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { useHasAddOn } from "../../add-ons/use-add-ons.ts";

const PostViewsButton = lazyPart(
  () => import("./post-views-button.tsx"),
  (part) => part.PostViewsButton,
  { instead: () => null },
);

interface PostViewsProps {
  workspaceId: string;
  postId: string;
}

/** How often a post was read lately, where views are counted; elsewhere nothing, and nothing of it is loaded. */
export function PostViews(props: PostViewsProps) {
  const isCounted = useHasAddOn(props.workspaceId, "analytics");
  if (!isCounted) return null;
  return (
    <Suspense>
      <PostViewsButton {...props} />
    </Suspense>
  );
}
