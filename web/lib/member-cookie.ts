import { memberCookie } from "#contract/session-cookies.ts";

const monthSeconds = 30 * 24 * 60 * 60;
/** Limit: subdomains have up to 63 characters, and proxies limit header sizes. */
const maxSubdomains = 50;

/** Cookie that lets public pages show "Edit this post" to members. Grants nothing. On localhost browsers limit it to one host. */
export function memberCookieHeader(subdomains: readonly string[], { hostname, protocol }: Pick<Location, "hostname" | "protocol">): string {
  const fields = [
    `${memberCookie}=${subdomains.slice(0, maxSubdomains).join(".")}`,
    "Path=/releases",
    ...(hostname.includes(".") && !/^[\d.]+$/.test(hostname) ? [`Domain=${hostname}`] : []),
    "SameSite=Lax",
    `Max-Age=${subdomains.length === 0 ? 0 : monthSeconds}`,
    ...(protocol === "https:" ? ["Secure"] : []),
  ];
  return fields.join("; ");
}

export function setMemberCookie(subdomains: readonly string[]): void {
  document.cookie = memberCookieHeader(subdomains, location);
}
