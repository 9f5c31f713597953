import { types } from "../resource.ts";
import type { CountEvent } from "./events.ts";

/** The smallest picture there is: one transparent point. */
const point = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) => character.charCodeAt(0));

/** What a picture reports. */
export type Report = Pick<CountEvent, "what" | "slug">;

/** What the picture at a path reports; undefined when there is none. */
export function reportAt(path: string): Report | undefined {
  if (path === "/releases/widget.shown.gif") return { what: "widget_shown" };
  if (path === "/releases/widget.open.gif") return { what: "widget_open" };
  const [, slug, isLink] = /^\/releases\/([a-z0-9-]{1,100})(\.link)?\.gif$/.exec(path) ?? [];
  return slug === undefined ? undefined : { what: isLink ? "link_click" : "view", slug };
}

/** The same whatever was counted, and whether the release exists; a browser keeps it until the day is over, and any page may ask for it. */
export function answerPicture(now: Date): Response {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return new Response(point, {
    headers: {
      "content-type": types.gif,
      "content-length": String(point.byteLength),
      "cache-control": `private, max-age=${Math.ceil((midnight - now.getTime()) / 1_000)}`,
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    },
  });
}
