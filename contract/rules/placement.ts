export const surfaces = ["banner-top", "banner-bottom", "modal", "toast", "spotlight", "inline"] as const;
export type Surface = (typeof surfaces)[number];

/** Surfaces at an element of the reader's page, named by a CSS selector. */
export const needsSelector = (surface: Surface): boolean => surface === "spotlight" || surface === "inline";

/** Shows a post in the widget outside its panel. Times: ISO 8601 in UTC; null: since publication, and without an end. */
export interface Placement {
  surface: Surface;
  selector: string | null;
  /** banner-top moves the page down instead of covering it. */
  push: boolean;
  from: string | null;
  until: string | null;
  /** After a reader has closed it: never, in each session, or after a number of days. */
  again: "never" | "session" | number;
}
