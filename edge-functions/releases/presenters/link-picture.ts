import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Picture } from "./first-image.ts";

/** What is drawn for links (edge-functions/og/card.ts). */
const size = { width: 1_200, height: 630 };

/**
 * The picture that a link to a release, or to the workspace's page, has when nobody chose one. Whether it is drawn yet is not asked: where it is not,
 * the workspace's own is sent in its place. Networks keep a picture by its address, so what is drawn in it is part of that.
 */
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

/** Another text most likely has another mark (FNV-1a). */
function markOf(text: string): string {
  let mark = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) mark = Math.imul(mark ^ byte, 0x01000193) >>> 0;
  return mark.toString(36);
}
