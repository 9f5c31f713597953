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
    "connect-src 'self'",
    ...(styles.length > 0 && frames.length > 0 ? [`frame-src ${frames.join(" ")}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** CSP for a workspace's stylesheet. Sent twice: hosted Supabase overwrites CSP, and deploy/Caddyfile restores it. */
export function pageHeaders(appearance: Styled | null, more: readonly Style[] = []): Record<string, string> {
  const csp = policy(appearance === null ? ourStyle : styleFor(appearance), ...more);
  return { "content-security-policy": csp, "x-page-policy": csp };
}

/** All responses; pages add `pageHeaders`. */
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
