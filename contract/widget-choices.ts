import { maxPostsDefault, maxPostsMax, maxPostsMin } from "./limits.ts";

interface Choice<Value extends string | number> {
  type: "choice";
  label: string;
  initial: Value;
  options: readonly (readonly [value: Value, label: string])[];
}
interface Switch {
  type: "switch";
  label: string;
  initial: boolean;
}
interface Count {
  type: "count";
  label: string;
  initial: number;
  min: number;
  max: number;
}
export type WidgetField = Choice<string | number> | Switch | Count;

const choice = <const Value extends string | number>(
  label: string,
  initial: NoInfer<Value>,
  options: readonly (readonly [Value, string])[],
): Choice<Value> => ({ type: "choice", label, initial, options });
const onOff = (label: string, initial: boolean): Switch => ({ type: "switch", label, initial });
const count = (label: string, initial: number, min: number, max: number): Count => ({ type: "count", label, initial, min, max });

/**
 * Single source of all widget settings: values, defaults, labels. Schemas (./widget-settings.ts), the settings page and the database's
 * check (`npm run widget-rules`) derive from it. Source: specification, sections 2 and 3.
 */
export const widgetGroups = {
  appearance: {
    title: "Appearance",
    text: "Light, dark, or the reader's system setting.",
    fields: {
      theme: choice("Theme", "light", [
        ["light", "Light"],
        ["dark", "Dark"],
        ["system", "System"],
      ]),
    },
  },
  positioning: {
    title: "Position",
    text: "Where the widget appears on screen.",
    fields: {
      position: choice("Position", "bottom-right", [
        ["bottom-right", "Bottom Right"],
        ["bottom-left", "Bottom Left"],
        ["top-right", "Top Right"],
        ["top-left", "Top Left"],
      ]),
    },
  },
  behaviour: {
    title: "Behaviour",
    text: "How and when it opens.",
    fields: {
      autoOpenNewPosts: onOff("Auto-open on new posts", true),
      animation: choice("Animation", "fade", [
        ["fade", "Fade"],
        ["slide", "Slide"],
        ["none", "None"],
      ]),
      newFor: choice("Posts count as new for", 0, [
        [0, "No limit"],
        [7, "7 days"],
        [14, "14 days"],
        [30, "30 days"],
        [90, "90 days"],
      ]),
      delay: choice("Trigger delay", 0, [
        [0, "Immediate"],
        [3_000, "3 seconds"],
        [5_000, "5 seconds"],
        [10_000, "10 seconds"],
      ]),
    },
  },
  customisation: {
    title: "Customisation",
    text: "Match the look of your site.",
    fields: {
      widgetSize: choice("Size", "sm", [
        ["sm", "Small"],
        ["md", "Medium"],
        ["lg", "Large"],
      ]),
      cornerRadius: choice("Corner radius", 6, [
        [0, "Sharp"],
        [6, "Rounded"],
        [999, "Pill"],
      ]),
      fontFamily: choice("Font", "system", [
        ["system", "System Default"],
        ["inter", "Inter"],
        ["roboto", "Roboto"],
        ["arial", "Arial"],
      ]),
    },
  },
  contentSettings: {
    title: "Content",
    text: "What the widget shows of your posts.",
    fields: {
      maxPosts: count("Maximum posts", maxPostsDefault, maxPostsMin, maxPostsMax),
      showImages: onOff("Show post images", true),
      showPostAuthor: onOff("Show author info", true),
    },
  },
} as const;

type Groups = typeof widgetGroups;
type ValueOf<Field> = Field extends Choice<infer Value> ? Value : Field extends Switch ? boolean : number;

export type CompleteWidgetSettings = {
  -readonly [Group in keyof Groups]: { -readonly [Field in keyof Groups[Group]["fields"]]: ValueOf<Groups[Group]["fields"][Field]> };
};
/** As saved and sent: missing or null fields mean the default. */
export type WidgetSettings = {
  [Group in keyof CompleteWidgetSettings]?: {
    [Field in keyof CompleteWidgetSettings[Group]]?: CompleteWidgetSettings[Group][Field] | null;
  };
};

type Fields = Readonly<Record<string, WidgetField>>;
export const widgetTable = Object.entries(widgetGroups) as [keyof Groups, { title: string; text: string; fields: Fields }][];

export const ofEachField = <Made>(
  make: (field: WidgetField, name: string, group: keyof Groups) => Made,
): Record<string, Record<string, Made>> =>
  Object.fromEntries(
    widgetTable.map(([group, { fields }]) => [
      group,
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field, name, group)])),
    ]),
  );

export function withDefaults(settings: WidgetSettings): CompleteWidgetSettings {
  const groups: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = settings;
  return ofEachField((field, name, group) => groups[group]?.[name] ?? field.initial) as unknown as CompleteWidgetSettings;
}
