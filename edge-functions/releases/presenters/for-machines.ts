import { accentColours } from "#contract/rules/accent.ts";
import { cleanText } from "#contract/blocks/text.ts";
import type { Access } from "#contract/rules/reader-access.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { escapeXml } from "./xml.ts";

const most = 50_000;

export function sitemap(site: Site, addresses: readonly { slug: string; updated_at: Date }[]): string {
  const urls = addresses
    .slice(0, most - 1)
    .map(
      ({ slug, updated_at }) =>
        `<url><loc>${escapeXml(site.absolute(`/releases/${slug}`))}</loc><lastmod>${updated_at.toISOString()}</lastmod></url>`,
    );
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
    `<url><loc>${escapeXml(site.absolute("/releases"))}</loc></url>\n${urls.join("\n")}\n</urlset>\n`
  );
}

/** Without a sitemap for unlisted changelogs, whose pages say noindex. */
export function robots(site: Site, access: Access): string {
  return `User-agent: *\nAllow: /\n${access === "public" ? `\nSitemap: ${site.absolute("/sitemap.xml")}\n` : ""}`;
}

export function icon(workspace: PublicWorkspace): string {
  const initial = [...cleanText(workspace.name).trim()][0]?.toUpperCase() ?? "T";
  const { accent, onAccent } = accentColours(workspace.appearance.accent).light;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent}"/>` +
    `<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="600" text-anchor="middle" fill="${onAccent}">${escapeXml(initial)}</text></svg>`
  );
}
