export interface Addressed {
  subdomain: string;
  domain?: string | null;
}

export function originOf(publicUrl: string, { subdomain, domain }: Addressed): string {
  const { protocol, port } = new URL(publicUrl);
  return domain ? `${protocol}//${domain}${port === "" ? "" : `:${port}`}` : originBelow(publicUrl, subdomain);
}

/** On our own host, for permanent URLs and secrets: a custom domain may change owners. */
export function originBelow(publicUrl: string, subdomain: string): string {
  const { protocol, host } = new URL(publicUrl);
  return `${protocol}//${subdomain}.${host}`;
}
