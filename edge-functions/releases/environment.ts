import { readMailSettings } from "#contract/mail-transports.ts";

export interface Environment {
  publicUrl: string;
  databaseUrl: string;
  storageUrl: string;
  trustedProxies: number;
  connections: number;
  mails: boolean;
  rateLimitScale: number;
}

export function readEnvironment(read: (name: string) => string | undefined): Environment {
  const [publicUrl, databaseUrl, proxies] = [read("TIDINGS_PUBLIC_URL"), read("SUPABASE_DB_URL"), read("TIDINGS_TRUSTED_PROXIES") || "1"];
  const storageUrl = read("SUPABASE_URL");
  const connections = read("TIDINGS_RELEASES_CONNECTIONS") || "2";
  const scale = read("TIDINGS_RATE_LIMIT_SCALE") || "1";
  const problems: string[] = [];
  if (!storageUrl) problems.push("SUPABASE_URL is missing: the URL of the Supabase project");
  else if (!isWebAddress(storageUrl)) problems.push("SUPABASE_URL isn't an http(s) URL: the URL of the Supabase project");
  if (!databaseUrl) problems.push("SUPABASE_DB_URL is missing: the connection string of the database");
  if (!publicUrl) problems.push(`TIDINGS_PUBLIC_URL is missing: ${ofPublicUrl}`);
  else if (!isWebAddress(publicUrl)) problems.push(`TIDINGS_PUBLIC_URL isn't an http(s) URL: ${ofPublicUrl}`);
  if (!/^[1-9]\d*$/.test(proxies)) problems.push("TIDINGS_TRUSTED_PROXIES isn't a number");
  if (!/^(?:[1-9]|10)$/.test(connections)) problems.push("TIDINGS_RELEASES_CONNECTIONS isn't a number from 1 to 10");
  if (!(Number(scale) > 0)) problems.push("TIDINGS_RATE_LIMIT_SCALE isn't a number");
  if (!publicUrl || !databaseUrl || !storageUrl || problems.length > 0) throw new Error(problems.join("\n"));
  return {
    publicUrl: new URL(publicUrl).origin,
    databaseUrl,
    storageUrl: new URL(storageUrl).origin,
    trustedProxies: Number(proxies),
    connections: Number(connections),
    mails: readMailSettings(read).mail !== null && read("TIDINGS_MAIL_SUBSCRIPTIONS") !== "off",
    rateLimitScale: Number(scale),
  };
}

const ofPublicUrl = "the URL of the product, such as https://tidings.example";

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
