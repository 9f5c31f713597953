import { maxPostsDefault } from "./limits.ts";
import type { CompleteWidgetSettings, WidgetSettings } from "./widget-settings.ts";

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

/** Source of the defaults: specification, section 3. */
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
