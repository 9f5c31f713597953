const captcha = "https://challenges.cloudflare.com";

export interface PageSources {
  /** A captcha is asked for. */
  captcha: boolean;
  /** Address of an analytics script, or null. */
  analyticsSrc: string | null;
}

/**
 * What every page of the web app carries, as deploy/Caddyfile says it for production: scripts only of this origin (and of the services
 * that this installation has turned on), styles also inline because the editor and the components write them, no foreign frame.
 */
export function pageHeaders({ captcha: hasCaptcha, analyticsSrc }: PageSources): Record<string, string> {
  const analytics = analyticsSrc ? new URL(analyticsSrc).origin : null;
  const sources = (...list: (string | null | false)[]) => list.filter(Boolean).join(" ");
  const policy = [
    "default-src 'self'",
    sources("script-src 'self'", hasCaptcha && captcha, analytics),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data: blob:",
    "font-src 'self' data:",
    sources("connect-src 'self'", hasCaptcha && captcha, analytics),
    sources("frame-src", hasCaptcha ? captcha : "'none'"),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
  };
}
