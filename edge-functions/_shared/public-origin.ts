/** Of a workspace: its label below the product's host, and the name of its own that readers are led to. */
export interface Addressed {
  subdomain: string;
  domain?: string | null;
}

/** The origin of a workspace's public page. */
export function originOf(publicUrl: string, { subdomain, domain }: Addressed): string {
  const { protocol, port } = new URL(publicUrl);
  return domain ? `${protocol}//${domain}${port === "" ? "" : `:${port}`}` : originBelow(publicUrl, subdomain);
}

/** The same below the product's host, where it is for good: what must be found in years, and what nobody but us may hear, is asked for there. */
export function originBelow(publicUrl: string, subdomain: string): string {
  const { protocol, host } = new URL(publicUrl);
  return `${protocol}//${subdomain}.${host}`;
}
