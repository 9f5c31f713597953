import { memberCookie } from "#contract/session-cookies.ts";

const month = 30 * 24 * 60 * 60;
/** Subdomains are labels of 63 characters at most; no header grows beyond what a proxy takes. */
const noted = 50;

/**
 * The note by which public pages offer "Edit this post": which workspaces somebody at this browser writes for. For the app's host and those
 * below it; on localhost browsers keep it to the one host. No secret: it only decides whether a link is there.
 */
export function memberNote(subdomains: readonly string[], { hostname, protocol }: Pick<Location, "hostname" | "protocol">): string {
  const fields = [
    `${memberCookie}=${subdomains.slice(0, noted).join(".")}`,
    "Path=/releases",
    ...(hostname.includes(".") && !/^[\d.]+$/.test(hostname) ? [`Domain=${hostname}`] : []),
    "SameSite=Lax",
    `Max-Age=${subdomains.length === 0 ? 0 : month}`,
    ...(protocol === "https:" ? ["Secure"] : []),
  ];
  return fields.join("; ");
}

export function noteMember(subdomains: readonly string[]): void {
  document.cookie = memberNote(subdomains, location);
}
