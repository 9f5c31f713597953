import { blockTypes } from "#contract/blocks/block-types.ts";
import type { BlockType } from "#contract/blocks/block-type.ts";
import { styleHash } from "./pages/style.ts";

const frames = Object.values<Pick<BlockType<never>, "frames">>(blockTypes).flatMap((type) => type.frames ?? []);

const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  "img-src 'self' https:",
  "connect-src 'self'", // nothing here connects; tools that judge a page fetch its robots.txt in its name
  ...(frames.length > 0 ? [`frame-src ${frames.join(" ")}`] : []),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** What every answer carries: pages run nothing, load nothing but images and the frames of blocks, and stand in nobody's frame. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}
