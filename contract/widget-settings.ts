import { z } from "zod";
import { maxPostsDefault, maxPostsMax, maxPostsMin } from "./limits.ts";

/** Sets of choices in the order in which the settings page offers them. Source: specification, sections 2 and 3. */
export const widgetThemes = ["light", "dark", "system"] as const;
export const widgetPositions = ["bottom-right", "bottom-left", "top-right", "top-left"] as const;
export const widgetAnimations = ["fade", "slide", "none"] as const;
/** Milliseconds. */
export const widgetDelays = [0, 3_000, 5_000, 10_000] as const;
export const widgetSizes = ["sm", "md", "lg"] as const;
/** Pixels. */
export const widgetRadii = [0, 6, 999] as const;
export const widgetFonts = ["system", "inter", "roboto", "arial"] as const;

/** Settings as they are saved and sent: every group and field may be missing or null, which means its default. Unknown ones are refused. */
export const widgetSettings = z.strictObject({
  appearance: z.strictObject({ theme: z.enum(widgetThemes).nullish() }).optional(),
  positioning: z.strictObject({ position: z.enum(widgetPositions).nullish() }).optional(),
  behaviour: z
    .strictObject({
      autoOpenNewPosts: z.boolean().nullish(),
      animation: z.enum(widgetAnimations).nullish(),
      delay: z.literal(widgetDelays).nullish(),
    })
    .optional(),
  customisation: z
    .strictObject({
      widgetSize: z.enum(widgetSizes).nullish(),
      cornerRadius: z.literal(widgetRadii).nullish(),
      fontFamily: z.enum(widgetFonts).nullish(),
    })
    .optional(),
  contentSettings: z
    .strictObject({
      maxPosts: z
        .int({ error: "Please enter a whole number" })
        .min(maxPostsMin, { error: `Please enter a number from ${maxPostsMin} to ${maxPostsMax}` })
        .max(maxPostsMax, { error: `Please enter a number from ${maxPostsMin} to ${maxPostsMax}` })
        .nullish(),
      showPostAuthor: z.boolean().nullish(),
      showImages: z.boolean().nullish(),
    })
    .optional(),
});
export type WidgetSettings = z.infer<typeof widgetSettings>;

/** Settings with every field present: what a widget is drawn from. Source of the defaults: specification, section 3. */
export const completeWidgetSettings = z.object({
  appearance: z.object({ theme: z.enum(widgetThemes) }),
  positioning: z.object({ position: z.enum(widgetPositions) }),
  behaviour: z.object({ autoOpenNewPosts: z.boolean(), animation: z.enum(widgetAnimations), delay: z.literal(widgetDelays) }),
  customisation: z.object({ widgetSize: z.enum(widgetSizes), cornerRadius: z.literal(widgetRadii), fontFamily: z.enum(widgetFonts) }),
  contentSettings: z.object({ maxPosts: z.int(), showPostAuthor: z.boolean(), showImages: z.boolean() }),
});
export type CompleteWidgetSettings = z.infer<typeof completeWidgetSettings>;

export function withDefaults({
  appearance,
  positioning,
  behaviour,
  customisation,
  contentSettings,
}: WidgetSettings): CompleteWidgetSettings {
  return {
    appearance: { theme: appearance?.theme ?? "light" },
    positioning: { position: positioning?.position ?? "bottom-right" },
    behaviour: {
      autoOpenNewPosts: behaviour?.autoOpenNewPosts ?? true,
      animation: behaviour?.animation ?? "fade",
      delay: behaviour?.delay ?? 0,
    },
    customisation: {
      widgetSize: customisation?.widgetSize ?? "sm",
      cornerRadius: customisation?.cornerRadius ?? 6,
      fontFamily: customisation?.fontFamily ?? "system",
    },
    contentSettings: {
      maxPosts: contentSettings?.maxPosts ?? maxPostsDefault,
      showPostAuthor: contentSettings?.showPostAuthor ?? true,
      showImages: contentSettings?.showImages ?? true,
    },
  };
}
