import { blockTypes } from "#contract/blocks/block-types.ts";
import type { BlockType } from "#contract/blocks/block-type.ts";
import { ourStyle, type Style, type Styled, styleFor } from "./pages/style.ts";

const frames = Object.values<Pick<BlockType<never>, "frames">>(blockTypes).flatMap((type) => type.frames ?? []);

const policy = (...styles: readonly Style[]): string =>
  [
    "default-src 'none'",
    `style-src ${styles.map(({ hash }) => `'${hash}'`).join(" ") || "'none'"}`,
    "img-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'", // nothing here connects; tools that judge a page fetch its robots.txt in its name
    ...(styles.length > 0 && frames.length > 0 ? [`frame-src ${frames.join(" ")}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/**
 * The policy of a page in a workspace's look, whose style sheet it names, and `more` if it has others; without one, of pages that are nobody's.
 * Hosted Supabase puts a policy of its own over that of every page, so it is said a second time: the front door puts that in its place
 * (deploy/Caddyfile) and takes it away.
 */
export function pageHeaders(look: Styled | null, more: readonly Style[] = []): Record<string, string> {
  const said = policy(look === null ? ourStyle : styleFor(look), ...more);
  return { "content-security-policy": said, "x-page-policy": said };
}

/** What every answer carries; a page, whose policy names its styles and the frames of its blocks, has that of `pageHeaders`. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    "content-security-policy": policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}
