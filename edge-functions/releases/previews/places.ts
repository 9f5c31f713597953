export interface PreviewPlace {
  /** widget: its data on another site, with the placement. */
  kind: "page" | "comments" | "widget";
  token: string;
}

const below = "/releases/preview/";

/** Longer than the URL of a post called "preview", so they don't collide. */
export function previewPlace(path: string): PreviewPlace | null {
  if (!path.startsWith(below)) return null;
  const [, token = "", rest = ""] = /^([^/]*)(.*)$/s.exec(path.slice(below.length)) ?? [];
  const kind = { "": "page", "/": "page", "/comments": "comments", "/widget.json": "widget" }[rest] as PreviewPlace["kind"] | undefined;
  return kind === undefined ? { kind: "page", token: "" } : { kind, token };
}

export const previewRoute = (path: string): string | null =>
  path.startsWith(below) ? `${below}{token}${/\/(?:comments|widget\.json)$/.exec(path)?.[0] ?? ""}` : null;
