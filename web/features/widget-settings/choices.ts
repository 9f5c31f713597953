import {
  widgetAnimations,
  widgetDelays,
  widgetFonts,
  widgetPositions,
  widgetRadii,
  widgetSizes,
  widgetThemes,
} from "#contract/widget-choices.ts";
import type { CompleteWidgetSettings } from "#contract/widget-settings.ts";
import type { Choice } from "../../components/choice-group.tsx";

type Settings = CompleteWidgetSettings;

const offered = <Value extends string | number>(values: readonly Value[], labels: Readonly<Record<Value, string>>): Choice<Value>[] =>
  values.map((value) => ({ value, label: labels[value] }));

/** What each group offers, in the words of the page. Source: specification, section 2 ("Widget settings page"). */
export const themes = offered<Settings["appearance"]["theme"]>(widgetThemes, { light: "Light", dark: "Dark", system: "System" });
export const positions = offered<Settings["positioning"]["position"]>(widgetPositions, {
  "bottom-right": "Bottom Right",
  "bottom-left": "Bottom Left",
  "top-right": "Top Right",
  "top-left": "Top Left",
});
export const animations = offered<Settings["behaviour"]["animation"]>(widgetAnimations, { fade: "Fade", slide: "Slide", none: "None" });
export const delays = offered<Settings["behaviour"]["delay"]>(widgetDelays, {
  0: "Immediate",
  3_000: "3 seconds",
  5_000: "5 seconds",
  10_000: "10 seconds",
});
export const sizes = offered<Settings["customisation"]["widgetSize"]>(widgetSizes, { sm: "Small", md: "Medium", lg: "Large" });
export const radii = offered<Settings["customisation"]["cornerRadius"]>(widgetRadii, { 0: "Sharp", 6: "Rounded", 999: "Pill" });
export const fonts = offered<Settings["customisation"]["fontFamily"]>(widgetFonts, {
  system: "System Default",
  inter: "Inter",
  roboto: "Roboto",
  arial: "Arial",
});
