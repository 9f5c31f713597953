/** The addresses of a preview: the page, and where a comment goes. `token` is what stands there, whether or not it can be one. */
export interface PreviewPlace {
  kind: "page" | "comments";
  token: string;
}

const below = "/releases/preview/";

/** A post called "preview" has a shorter address than any of these, so they take none away. */
export function previewPlace(path: string): PreviewPlace | null {
  if (!path.startsWith(below)) return null;
  const [, token = "", rest = ""] = /^([^/]*)(.*)$/s.exec(path.slice(below.length)) ?? [];
  const kind = { "": "page", "/": "page", "/comments": "comments" }[rest] as PreviewPlace["kind"] | undefined;
  return kind === undefined ? { kind: "page", token: "" } : { kind, token };
}

/** For the log, which holds no token. */
export const previewRoute = (path: string): string | null =>
  path.startsWith(below) ? `${below}{token}${path.endsWith("/comments") ? "/comments" : ""}` : null;
