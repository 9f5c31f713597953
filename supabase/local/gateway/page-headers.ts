const captcha = "https://challenges.cloudflare.com";

export interface PageSources {
  /** A captcha is asked for. */
  captcha: boolean;
  /** Address of an analytics script, or null. */
  analyticsSrc: string | null;
}

/** What every page of the web app carries where the services named here are turned on, and no others. */
export function pageHeaders({ captcha: hasCaptcha, analyticsSrc }: PageSources): Record<string, string> {
  const scripts = [hasCaptcha && captcha, analyticsSrc && new URL(analyticsSrc).origin].filter(Boolean).join(" ");
  return pageHeadersWith({ scripts, frames: hasCaptcha ? captcha : "'none'" });
}

/**
 * The same with the foreign origins as text, as deploy/Caddyfile takes them from its environment: scripts only of this origin and of those,
 * styles also inline because the editor and the components write them.
 */
export function pageHeadersWith({ scripts, frames }: { scripts: string; frames: string }): Record<string, string> {
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${scripts}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${scripts}`.trim(),
    `frame-src ${frames}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", // web/lib/trusted-types.ts
  ];
  return {
    "content-security-policy": policy.join("; "),
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
  };
}
