const captcha = "https://challenges.cloudflare.com";

export interface PageSources {
  captcha: boolean;
  analyticsSrc: string | null;
}

/** Hash of the inline script in web/index.html; a test compares. */
const shellScript = "'sha256-ROWmCzRL2QDso3Djveez/DRHJupU9uvQgnr9je6B06Q='";

/** Headers of the web app's pages. The CSP allows only the configured services. */
export function pageHeaders({ captcha: hasCaptcha, analyticsSrc }: PageSources): Record<string, string> {
  const scripts = [hasCaptcha && captcha, analyticsSrc && new URL(analyticsSrc).origin].filter(Boolean).join(" ");
  return pageHeadersWith({ scripts, frames: hasCaptcha ? captcha : "'none'" });
}

/** The same with placeholders for deploy/Caddyfile. Inline styles are allowed because the editor writes them. */
export function pageHeadersWith({ scripts, frames }: { scripts: string; frames: string }): Record<string, string> {
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${shellScript} ${scripts}`.trim(),
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
