import { styleHash } from "./pages/style.ts";

const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  "img-src 'self' https:",
  "connect-src 'self'", // nothing here connects; tools that judge a page fetch its robots.txt in its name
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** What every answer carries: pages run nothing, load nothing but images, and stand in nobody's frame. */
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
