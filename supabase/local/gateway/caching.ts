export const hashedName = /^\/(?:assets\/|fonts\/[a-z-]+-[0-9a-f]{16}\.woff2$|widget-(?:module-|more-)?[0-9a-f]{16}\.js$)/;

export const widgetNames = ["/widget.js", "/widget-module.js", "/widget-headway.js"];

export const caching = {
  hashed: "public, max-age=31536000, immutable",
  /** Embedded without a hash. */
  widget: "public, max-age=300, stale-while-revalidate=86400",
  other: "no-cache",
};

export function cacheControl(name: string): string {
  if (hashedName.test(name)) return caching.hashed;
  return widgetNames.includes(name) ? caching.widget : caching.other;
}
