import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { CommentsLayerProps } from "./comments-layer.tsx";

const CommentsLayer = lazyPart(() => import("./comments-layer.tsx"), "CommentsLayer", { fallback: () => null });

export function CommentsBeside(props: CommentsLayerProps) {
  return (
    <Suspense>
      <CommentsLayer {...props} />
    </Suspense>
  );
}
