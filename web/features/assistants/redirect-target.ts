/** Schemes that run code or open local content. */
const blockedSchemes: readonly string[] = ["javascript:", "data:", "blob:", "file:", "filesystem:", "vbscript:", "about:", "view-source:"];

/** True if a redirect to the URL is safe: another site or an app. Second check after the server's. */
export const isSafeRedirect = (address: string): boolean => URL.canParse(address) && !blockedSchemes.includes(new URL(address).protocol);

/** Redirect target in words, after "to". */
export function describeTarget(address: string): string {
  if (!URL.canParse(address)) return "the assistant";
  const { protocol, host, hostname } = new URL(address);
  if (!/^https?:$/.test(protocol)) return `the app for ${protocol.slice(0, -1)} links`;
  return isThisDevice(hostname) ? `an app on this device (${host})` : host;
}

const isThisDevice = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
