import { Loading } from "../../../components/skeleton.tsx";
import { useBlockEditor, type BlockEditorOptions } from "../state/use-block-editor.ts";
import { BodySkeleton } from "./body-skeleton.tsx";
import "./editor.css";
import css from "./block-editor.module.css";

/** The body of a post. Loaded lazily (./post-body.tsx): Editor.js and its tools are this product's heaviest part. */
export function BlockEditor(props: BlockEditorOptions) {
  const { place, status, uploading } = useBlockEditor(props);
  return (
    <div className={css.body}>
      {status === "loading" && (
        <Loading label="Loading the editor">
          <BodySkeleton />
        </Loading>
      )}
      {status === "failed" && (
        <p role="alert" className={css.failed}>
          The editor could not start. Your text is safe; please reload the page.
        </p>
      )}
      <div ref={place} className="post-editor" role="group" aria-label="Post content" hidden={status !== "ready"} />
      <p className={css.uploading} role="status">
        {uploading > 0 && "Uploading image…"}
      </p>
    </div>
  );
}
