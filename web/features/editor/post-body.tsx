import { Suspense } from "react";
import { Loading } from "../../ui/skeleton.tsx";
import type { BlockEditorOptions } from "./use-block-editor.ts";
import { BodySkeleton } from "./body-skeleton.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const BlockEditor = lazyPart(() => import("./block-editor.tsx"), "BlockEditor", { inPlace: true });

export const preloadEditor = BlockEditor.preload;

export function PostBody(props: BlockEditorOptions) {
  return (
    <Suspense
      fallback={
        <Loading label="Loading editor">
          <BodySkeleton />
        </Loading>
      }
    >
      <BlockEditor {...props} />
    </Suspense>
  );
}
