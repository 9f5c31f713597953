import { z } from "zod";
import { maxPostsMax, maxPostsMin } from "./limits.ts";
import { widgetAnimations, widgetDelays, widgetFonts, widgetPositions, widgetRadii, widgetSizes, widgetThemes } from "./widget-choices.ts";

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

/** Settings with every field present: what a widget is drawn from. */
export const completeWidgetSettings = z.object({
  appearance: z.object({ theme: z.enum(widgetThemes) }),
  positioning: z.object({ position: z.enum(widgetPositions) }),
  behaviour: z.object({ autoOpenNewPosts: z.boolean(), animation: z.enum(widgetAnimations), delay: z.literal(widgetDelays) }),
  customisation: z.object({ widgetSize: z.enum(widgetSizes), cornerRadius: z.literal(widgetRadii), fontFamily: z.enum(widgetFonts) }),
  contentSettings: z.object({ maxPosts: z.int(), showPostAuthor: z.boolean(), showImages: z.boolean() }),
});
export type CompleteWidgetSettings = z.infer<typeof completeWidgetSettings>;
