import { useEffect, useState } from "react";
import type { z } from "zod";
import { authEndpoints } from "#contract/auth.ts";
import { call } from "./api-client.ts";

export type Config = z.infer<typeof authEndpoints.config.response>;

let configRequest: Promise<Config> | undefined;

/** Installation settings, fetched once per visit. Throws ApiError; the next call retries. */
export function loadConfig(): Promise<Config> {
  configRequest ??= call(authEndpoints.config).catch((error: unknown) => {
    configRequest = undefined;
    throw error;
  });
  return configRequest;
}

/** Undefined while loading, null if it couldn't load. */
export function useConfig(): Config | null | undefined {
  const [config, setConfig] = useState<Config | null>();
  useEffect(() => {
    loadConfig().then(setConfig, (error: unknown) => {
      console.warn("Couldn't load the configuration.", error);
      setConfig(null);
    });
  }, []);
  return config;
}

/** Public changelog URL, e.g. http://acme.localhost:3000/releases, or on the custom domain. `host` as in Config. */
export function publicAddress({ subdomain, domain }: { subdomain: string; domain?: string | undefined }, host: string): string {
  const customHost = domain && domain + host.replace(/^[^:]*/, "");
  return `${location.protocol}//${customHost ?? `${subdomain}.${host}`}/releases`;
}
