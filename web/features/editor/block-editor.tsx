import { Loading } from "../../ui/skeleton.tsx";
import { useBlockEditor, type BlockEditorOptions } from "./use-block-editor.ts";
import { BodySkeleton } from "./body-skeleton.tsx";
import "./editor.css";
import { Row, Text } from "../../ui/layout.tsx";
import css from "./editor.module.css";

function Uploading({ shares }: { shares: readonly number[] }) {
  const under = shares.length;
  const percent = under === 0 ? 0 : Math.round((100 * shares.reduce((sum, share) => sum + share, 0)) / under);
  const words = under > 1 ? `Uploading ${under} images…` : "Uploading image…";
  return (
    <>
      <p className="visually-hidden" role="status">
        {under > 0 && words}
      </p>
      {under > 0 && (
        <Row gap={3} className={css.uploading}>
          <span aria-hidden>{words}</span>
          <progress max={100} value={percent} aria-label={words} />
          <span aria-hidden className={css.percent}>
            {percent}%
          </span>
        </Row>
      )}
    </>
  );
}

/** A post's body. Lazy (./post-body.tsx): Editor.js and its tools are the largest chunk. */
export function BlockEditor(props: BlockEditorOptions) {
  const { place, status, uploading } = useBlockEditor(props);
  return (
    <div style={{ position: "relative" }}>
      {status === "loading" && (
        <Loading label="Loading editor">
          <BodySkeleton />
        </Loading>
      )}
      {status === "failed" && (
        <Text role="alert" tone="danger">
          Couldn't load the editor. Your text is safe. Reload the page.
        </Text>
      )}
      <div ref={place} className="post-editor" role="group" aria-label="Post content" hidden={status !== "ready"} />
      <Uploading shares={uploading} />
    </div>
  );
}
