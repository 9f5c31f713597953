import { useState } from "react";
import type { AppearanceChoices } from "#contract/appearance.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { useMediaQuery } from "../../lib/use-media-query.ts";
import { PageFrame } from "./page-frame.tsx";
import { Scaled } from "./scaled.tsx";
import { useLookPreview } from "./use-look-preview.ts";
import { WidgetFrame } from "./widget-frame.tsx";
import css from "./look-preview.module.css";

const widths = [
  { value: "desktop", label: "Desktop", icon: "desktop" },
  { value: "phone", label: "Phone", icon: "mobile" },
] as const;
const sides = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
] as const;
/** Pixels of the windows that are shown. */
const pageWidth = { desktop: 1_100, phone: 390 } as const;
const widgetWidth = 560;
/** Lower than this the widget scrolls as one. */
const widgetHeight = 440;

interface LookPreviewProps {
  workspaceId: string;
  /** Null while something is wrong with them: the last that were right are shown. */
  choices: AppearanceChoices | null;
  /** Which pictures are stored. */
  pictures: string;
}

/** Page and widget as the server makes them of what is in the form. */
export function LookPreview({ workspaceId, choices: current, pictures }: LookPreviewProps) {
  const choices = useLastRight(current);
  const onPhone = useMediaQuery("(max-width: 767.98px)");
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const [chosenWidth, setWidth] = useState<"desktop" | "phone">();
  const [chosenSide, setSide] = useState<"light" | "dark">();
  const width = chosenWidth ?? (onPhone ? "phone" : "desktop");
  const forced = choices !== null && choices.theme !== "system" ? choices.theme : undefined;
  const side = forced ?? chosenSide ?? (isDark ? "dark" : "light");
  const { made, problem, again } = useLookPreview(workspaceId, choices && { ...choices, theme: side }, pictures);

  return (
    <section className={css.preview} aria-label="Live preview">
      <div className={css.switches}>
        <ChoiceGroup legend="Width of the page" hideLegend choices={widths} value={width} onChange={setWidth} />
        <ChoiceGroup legend="Preview on" hideLegend disabled={forced !== undefined} choices={sides} value={side} onChange={setSide} />
      </div>
      {problem !== undefined && (
        <p className={css.problem} role="alert">
          <span>The preview could not be made. {problem}</span>
          <Button size="small" icon="refresh" onClick={again}>
            Try again
          </Button>
        </p>
      )}
      {current === null && choices !== null && problem === undefined && (
        <p className={css.kept} role="status">
          Something is still missing or wrong. This is the look before it.
        </p>
      )}
      {made === undefined ? (
        problem === undefined && (
          <Loading label="Making the preview">
            <Skeleton height="26rem" />
          </Loading>
        )
      ) : (
        <div className={css.windows}>
          <figure className={css.page}>
            <figcaption>Your page{made.sample && " · Sample post"}</figcaption>
            <Scaled width={pageWidth[width]}>{(style) => <PageFrame html={made.page} style={style} />}</Scaled>
          </figure>
          <figure className={css.widget}>
            <figcaption>The widget on your site</figcaption>
            <Scaled width={widgetWidth} minHeight={widgetHeight}>
              {(style) => <WidgetFrame data={made.widget} side={side} style={style} />}
            </Scaled>
          </figure>
        </div>
      )}
    </section>
  );
}

function useLastRight(current: AppearanceChoices | null): AppearanceChoices | null {
  const [right, setRight] = useState(current);
  if (current !== null && JSON.stringify(current) !== JSON.stringify(right)) setRight(current);
  return current ?? right;
}
