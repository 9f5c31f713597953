import { types } from "../resource.ts";
import type { CountEvent } from "./events.ts";

const point = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) => character.charCodeAt(0));

export type Report = Pick<CountEvent, "what" | "slug">;

/** By the ending of the address; the last three of a placement. */
const ofPost: Readonly<Record<string, CountEvent["what"]>> = {
  ...{ "": "view", link: "link_click" },
  ...{ shown: "placement_shown", dismissed: "placement_dismissed", clicked: "placement_clicked" },
};

export function reportAt(path: string): Report | undefined {
  if (path === "/releases/widget.shown.gif") return { what: "widget_shown" };
  if (path === "/releases/widget.open.gif") return { what: "widget_open" };
  const [, slug, ending = ""] = /^\/releases\/([a-z0-9-]{1,100})(?:\.(link|shown|dismissed|clicked))?\.gif$/.exec(path) ?? [];
  return slug === undefined ? undefined : { what: ofPost[ending]!, slug };
}

/** Same response in every case; cached by the browser until midnight UTC. */
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
