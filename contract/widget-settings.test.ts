import { describe, expect, test } from "vitest";
import { widgetTable, withDefaults } from "#contract/widget-choices.ts";
import { widgetSettings } from "#contract/widget-settings.ts";

const accepts = (settings: unknown): boolean => widgetSettings.safeParse(settings).success;

describe("widget settings", () => {
  test("have every default of the specification", () => {
    expect(withDefaults({})).toEqual({
      appearance: { theme: "light" },
      positioning: { position: "bottom-right" },
      behaviour: { autoOpenNewPosts: true, animation: "fade", newFor: 0, delay: 0 },
      customisation: { widgetSize: "sm", cornerRadius: 6, fontFamily: "system" },
      contentSettings: { maxPosts: 5, showPostAuthor: true, showImages: true },
    });
  });
  test("keep false and 0, and treat null as the default", () => {
    const { behaviour, customisation, contentSettings, appearance } = withDefaults({
      appearance: { theme: null },
      behaviour: { autoOpenNewPosts: false, delay: 3_000 },
      customisation: { cornerRadius: 0 },
      contentSettings: { maxPosts: 20, showImages: false },
    });
    expect([appearance.theme, behaviour.autoOpenNewPosts, behaviour.delay, customisation.cornerRadius]).toEqual(["light", false, 3_000, 0]);
    expect([contentSettings.maxPosts, contentSettings.showImages, contentSettings.showPostAuthor]).toEqual([20, false, true]);
  });
  test.each([
    ...widgetTable.flatMap(([group, { fields }]) =>
      Object.entries(fields).flatMap(([name, field]) =>
        field.type === "choice" ? field.options.map(([value]) => ({ [group]: { [name]: value } })) : [],
      ),
    ),
    ...[1, 20].map((maxPosts) => ({ contentSettings: { maxPosts } })),
    {},
  ])("accept %j", (settings) => {
    expect(accepts(settings)).toBe(true);
  });
  test.each([
    null,
    [],
    { unknown: {} },
    { appearance: { colour: "red" } },
    { appearance: { theme: "sepia" } },
    { positioning: { position: "center" } },
    { behaviour: { delay: 1 } },
    { behaviour: { delay: "0" } },
    { behaviour: { autoOpenNewPosts: "yes" } },
    { customisation: { cornerRadius: 7 } },
    ...[0, 21, 1.5, "5", Number.NaN].map((maxPosts) => ({ contentSettings: { maxPosts } })),
  ])("reject %j", (settings) => {
    expect(accepts(settings)).toBe(false);
  });
});
