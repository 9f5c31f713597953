import { useEffect, useState } from "react";
import type { z } from "zod";
import { authEndpoints } from "#contract/auth.ts";
import { call } from "./api-client.ts";

export type Config = z.infer<typeof authEndpoints.config.response>;

let asked: Promise<Config> | undefined;

/** What this installation offers; asked once per visit. Throws ApiError, and is then asked again by the next caller. */
export function loadConfig(): Promise<Config> {
  asked ??= call(authEndpoints.config).catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** The configuration; undefined until it is known, null when it could not be read: the page then shows what needs none. */
export function useConfig(): Config | null | undefined {
  const [config, setConfig] = useState<Config | null>();
  useEffect(() => {
    loadConfig().then(setConfig, (error: unknown) => {
      console.warn("The configuration could not be read.", error);
      setConfig(null);
    });
  }, []);
  return config;
}

/** The public address of a workspace's changelog, e.g. http://acme.localhost:3000/releases, or at its own name. `host` as in Config. */
export function publicAddress({ subdomain, domain }: { subdomain: string; domain?: string | undefined }, host: string): string {
  const own = domain && domain + host.replace(/^[^:]*/, ""); // the port is the same everywhere
  return `${location.protocol}//${own ?? `${subdomain}.${host}`}/releases`;
}
