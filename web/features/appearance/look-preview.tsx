import { useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { useMediaQuery } from "../../lib/use-media-query.ts";
import { PageFrame } from "./page-frame.tsx";
import { Scaled } from "./scaled.tsx";
import { useLookPreview } from "./use-look-preview.ts";
import { WidgetFrame } from "./widget-frame.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import css from "./appearance.module.css";

const widths = [
  { value: "desktop", label: "Desktop", icon: "desktop" },
  { value: "phone", label: "Phone", icon: "mobile" },
] as const;
const sides = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
] as const;
/** Viewport widths in pixels. */
const pageWidth = { desktop: 1_100, phone: 390 } as const;
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
  const onPhone = useMediaQuery("(max-width: 767.98px)");
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const [chosenWidth, setWidth] = useState<"desktop" | "phone">();
  const [chosenSide, setSide] = useState<"light" | "dark">();
  const width = chosenWidth ?? (onPhone ? "phone" : "desktop");
  const fixedSide = choices !== null && choices.theme !== "system" ? choices.theme : undefined;
  const side = fixedSide ?? chosenSide ?? (isDark ? "dark" : "light");
  const { made: preview, problem, again: retry } = useLookPreview(workspaceId, choices && { ...choices, theme: side }, pictures);

  return (
    <section className={css.preview} aria-label="Live preview">
      <Row gap={3} justify="between" align="start">
        <ChoiceGroup legend="Page width" hideLegend choices={widths} value={width} onChange={setWidth} />
        <ChoiceGroup legend="Preview on" hideLegend disabled={fixedSide !== undefined} choices={sides} value={side} onChange={setSide} />
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
