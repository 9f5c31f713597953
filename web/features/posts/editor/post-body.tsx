import { lazy, Suspense } from "react";
import { Loading } from "../../../components/skeleton.tsx";
import type { BlockEditorOptions } from "./use-block-editor.ts";
import { BodySkeleton } from "./body-skeleton.tsx";

const BlockEditor = lazy(() => import("./block-editor.tsx").then((module) => ({ default: module.BlockEditor })));

/** The block editor, in a chunk that only pages with an editor load. */
export function PostBody(props: BlockEditorOptions) {
  return (
    <Suspense
      fallback={
        <Loading label="Loading the editor">
          <BodySkeleton />
        </Loading>
      }
    >
      <BlockEditor {...props} />
    </Suspense>
  );
}
