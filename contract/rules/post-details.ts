import { againMaxDays, selectorMaxLength } from "../limits.ts";
import { needsSelector, type Placement, surfaces } from "./placement.ts";
import { type Audience, readAudience } from "./audience.ts";
import { parseVersion } from "./product-version.ts";

/** Facts about the product, and where the post is shown. Times: ISO 8601 in UTC. */
export interface PostDetails {
  /** First on the page and in the widget until then. */
  pinned_until: string | null;
  /** Leaves the widget then, and the page's top. */
  expires_at: string | null;
  button: { text: string; url: string } | null;
  version: string | null;
  component: string | null;
  breaking: boolean;
  security: boolean;
  /** Null: everyone. */
  audience: Audience | null;
  placement: Placement | null;
}

const word = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const time = (value: unknown): string | null =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : null;

function buttonOf(value: unknown): PostDetails["button"] {
  const { text, url } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return typeof text === "string" && typeof url === "string" && text !== "" && /^https?:\/\/\S+$/i.test(url) ? { text, url } : null;
}

function placementOf(value: unknown): Placement | null {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const surface = surfaces.find((one) => one === fields["surface"]);
  if (surface === undefined) return null;
  const selector = needsSelector(surface) ? word(fields["selector"]) : null;
  const [from, until] = [time(fields["from"]), time(fields["until"])];
  if ((needsSelector(surface) && selector === null) || (selector?.length ?? 0) > selectorMaxLength) return null;
  if (from !== null && until !== null && from >= until) return null;
  const { again } = fields;
  const days = typeof again === "number" && again >= 1 ? Math.min(Math.trunc(again), againMaxDays) : "never";
  return {
    ...{ surface, selector, push: surface === "banner-top" && fields["push"] === true },
    ...{ from, until, again: again === "session" ? again : days },
  };
}

/** Parses stored details (any JSON); invalid values count as absent. */
export function readDetails(stored: unknown): PostDetails {
  const fields = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const version = word(fields["version"]);
  return {
    pinned_until: time(fields["pinned_until"]),
    expires_at: time(fields["expires_at"]),
    button: buttonOf(fields["button"]),
    version: version !== null && parseVersion(version) !== null ? version : null,
    component: word(fields["component"]),
    breaking: fields["breaking"] === true,
    security: fields["security"] === true,
    audience: readAudience(fields["audience"]),
    placement: placementOf(fields["placement"]),
  };
}

export const noDetails: PostDetails = readDetails(null);

/** Those of a post that everyone may read. */
export function readPublicDetails(stored: unknown): Omit<PostDetails, "audience"> {
  const { audience: _, ...details } = readDetails(stored);
  return details;
}

/** Such as `Server 1.12.0`. */
export const productOf = ({ component, version }: PostDetails): string => [component, version].filter((text) => text !== null).join(" ");

/** Product and version, then labels in the reader's language. */
export const factsOf = (details: PostDetails, words: { breaking: string; security: string }): string[] =>
  [productOf(details), details.breaking ? words.breaking : "", details.security ? words.security : ""].filter((text) => text !== "");

/** True while a post is first on the page. */
export const isPinned = ({ pinned_until }: PostDetails, now: Date): boolean => pinned_until !== null && Date.parse(pinned_until) > +now;
