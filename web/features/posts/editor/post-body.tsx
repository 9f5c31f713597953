import { Suspense } from "react";
import { Loading } from "../../../components/skeleton.tsx";
import type { BlockEditorOptions } from "./use-block-editor.ts";
import { BodySkeleton } from "./body-skeleton.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";

const BlockEditor = lazyPart(
  () => import("./block-editor.tsx"),
  (part) => part.BlockEditor,
  { inPlace: true },
);

/** Fetches the editor while its page, the workspace and the post are still on their way. */
export const preloadEditor = BlockEditor.preload;

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
