import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Picture } from "./first-image.ts";

const size = { width: 1_200, height: 630 };

/** Social image URL. Networks cache by URL, so it includes a hash of what's drawn. Until it's drawn, the workspace's image is served. */
export function linkPicture(
  workspace: Pick<PublicWorkspace, "name" | "logo_url" | "appearance">,
  site: Site,
  release?: Pick<Release, "slug" | "title" | "published_at">,
): Picture {
  const { accent, font, theme, locale, date_format: format, logo_dark_url: darkLogo } = workspace.appearance;
  const drawn = [workspace.name, workspace.logo_url, darkLogo, accent, font, theme, locale, format, release?.title, release?.published_at];
  const path = release === undefined ? "/releases.png" : `/releases/${release.slug}.png`;
  return { url: site.absolute(path, { v: markOf(JSON.stringify(drawn)) }), alt: release?.title ?? workspace.name, ...size };
}

function markOf(text: string): string {
  let mark = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) mark = Math.imul(mark ^ byte, 0x01000193) >>> 0;
  return mark.toString(36);
}
