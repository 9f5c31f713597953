/** Schemes that a browser would open as something of ours, or run. */
const never: readonly string[] = ["javascript:", "data:", "blob:", "file:", "filesystem:", "vbscript:", "about:", "view-source:"];

/** Whether a person can be sent to an address that the server names: another site, a program on the device, an app. The server has looked already. */
export const leadsOut = (address: string): boolean => URL.canParse(address) && !never.includes(new URL(address).protocol);

/** To whom an address leads, in words that stand after "to". */
export function placeOf(address: string): string {
  if (!URL.canParse(address)) return "the assistant";
  const { protocol, host, hostname } = new URL(address);
  if (!/^https?:$/.test(protocol)) return `the app for ${protocol.slice(0, -1)} links`;
  return isThisDevice(hostname) ? `a program on this device (${host})` : host;
}

const isThisDevice = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
