import { useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { PageFrame } from "./page-frame.tsx";
import { phoneWidth, SideChoice, usePreviewView, WidthChoice } from "../../ui/preview-controls.tsx";
import { Scaled } from "./scaled.tsx";
import { useLookPreview } from "./use-look-preview.ts";
import { WidgetFrame } from "./widget-frame.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import css from "./appearance.module.css";

/** Viewport widths in pixels. */
const pageWidth = { desktop: 1_100, phone: phoneWidth } as const;
const widgetWidth = 560;
/** Below this height the widget scrolls as a whole. */
const widgetHeight = 440;

interface LookPreviewProps {
  workspaceId: string;
  /** Null while invalid: the last valid ones show. */
  choices: AppearanceChoices | null;
  /** Identifies the saved images. */
  pictures: string;
}

/** Server-rendered preview of the form's values. */
export function LookPreview({ workspaceId, choices: current, pictures }: LookPreviewProps) {
  const choices = useLastValid(current);
  const view = usePreviewView(choices?.theme ?? "system");
  const { width, side } = view;
  const { made: preview, problem, again: retry } = useLookPreview(workspaceId, choices && { ...choices, theme: side }, pictures);

  return (
    <section className={css.preview} aria-label="Live preview">
      <Row gap={3} justify="between" align="start">
        <WidthChoice {...view} />
        <SideChoice {...view} />
      </Row>
      {problem !== undefined && (
        <Row role="alert" justify="between">
          <Text as="span" tone="danger">
            Couldn't load the preview. {problem}
          </Text>
          <Button size="small" icon="refresh" onClick={retry}>
            Try again
          </Button>
        </Row>
      )}
      {current === null && choices !== null && problem === undefined && (
        <Text role="status" size="small" tone="muted">
          Fix the errors to update the preview.
        </Text>
      )}
      {preview === undefined ? (
        problem === undefined && (
          <Loading label="Loading the preview">
            <Skeleton height="26rem" />
          </Loading>
        )
      ) : (
        <div className={css.windows}>
          <figure>
            <Note as="figcaption">Your page{preview.sample && " · Sample post"}</Note>
            <Scaled width={pageWidth[width]}>{(style) => <PageFrame html={preview.page} style={style} />}</Scaled>
          </figure>
          <figure>
            <Note as="figcaption">Your widget</Note>
            <Scaled width={widgetWidth} minHeight={widgetHeight}>
              {(style) => <WidgetFrame data={preview.widget} side={side} style={style} />}
            </Scaled>
          </figure>
        </div>
      )}
    </section>
  );
}

function useLastValid(current: AppearanceChoices | null): AppearanceChoices | null {
  const [lastValid, setLastValid] = useState(current);
  if (current !== null && JSON.stringify(current) !== JSON.stringify(lastValid)) setLastValid(current);
  return current ?? lastValid;
}
