import { parseArgs } from "node:util";
import { readBotCheck } from "./bot-check.ts";
import type { Environment } from "../environment.ts";
import { readFrontDoor } from "./front-door.ts";
import { readSignUpRule } from "./sign-up.ts";
import { StartError } from "../start-error.ts";

export interface Service {
  host: string;
  publicUrl: string;
  /** Peers whose X-Forwarded headers are trusted; null: none. */
  frontDoor: string[] | null;
  /** Number of proxies that add an X-Forwarded-For entry, including the front door. */
  trustedProxies: number;
}

export function serviceEnvironment(options: string[], env: Environment = process.env): Record<string, string> {
  const { values } = readOptions(options);
  const variables = {
    TIDINGS_SERVICE: "1",
    TIDINGS_SEED: "none",
    TIDINGS_PUBLIC_URL: values["public-url"] ?? env.TIDINGS_PUBLIC_URL ?? "",
    HOST: values.host ?? env.HOST ?? "",
    TIDINGS_FRONT_DOOR: values["front-door"] ?? env.TIDINGS_FRONT_DOOR ?? "",
    TIDINGS_TRUSTED_PROXIES: env.TIDINGS_TRUSTED_PROXIES ?? "",
    TIDINGS_INSECURE_HTTP: values["insecure-http"] ? "1" : (env.TIDINGS_INSECURE_HTTP ?? ""),
  };
  readService(variables); // fails before the build
  readBotCheck(env);
  readSignUpRule(env, "invited");
  return variables;
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        host: { type: "string" },
        "public-url": { type: "string" },
        "front-door": { type: "string" },
        "insecure-http": { type: "boolean" },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message} "npm run serve" takes --host, --public-url, --front-door and --insecure-http.`);
  }
}

/** The configured service; null for `npm start`. Throws a StartError for an insecure one. */
export function readService(env: Environment): Service | null {
  if (env.TIDINGS_SERVICE !== "1") return null;
  const publicUrl = originOf(env.TIDINGS_PUBLIC_URL);
  const host = env.HOST || "127.0.0.1";
  const frontDoor = readFrontDoor(env.TIDINGS_FRONT_DOOR || "127.0.0.1");
  const secure = publicUrl.startsWith("https:");
  const insecure = env.TIDINGS_INSECURE_HTTP === "1";
  if (!secure && !insecure)
    throw new StartError("TIDINGS_PUBLIC_URL must begin with https://, or passwords aren't encrypted. --insecure-http accepts that.");
  if (!isLoopback(host) && frontDoor.every(isLoopback) && !insecure)
    throw new StartError(
      `Beyond this machine (${host}) nothing here speaks https: name the address of the front door that does with --front-door, or accept it with --insecure-http.`,
    );
  return { host, publicUrl, frontDoor: secure ? frontDoor : null, trustedProxies: countOf(env.TIDINGS_TRUSTED_PROXIES) };
}

function countOf(value: string | undefined): number {
  if (/^[1-9]?$/.test(value ?? "")) return Number(value || 1);
  throw new StartError(`TIDINGS_TRUSTED_PROXIES must be a number from 1 to 9, not "${value}".`);
}

const isLoopback = (address: string): boolean => /^(127\.|::1$|localhost$)/.test(address);

function originOf(value: string | undefined): string {
  const url = URL.parse(value ?? "");
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/") return url.origin;
  throw new StartError(`TIDINGS_PUBLIC_URL must be the address that people open, such as https://tidings.example, not "${value ?? ""}".`);
}
