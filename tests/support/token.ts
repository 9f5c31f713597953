import { createHmac } from "node:crypto";
import type { StackFile } from "./stack.ts";

type Secret = Pick<StackFile, "jwtSecret">;

/**
 * An access token of `sub` as the auth service makes it, of the session with the id of the person (a row of auth.sessions, which is asked
 * for); every claim and the header can be replaced. It holds for an hour.
 */
export function signToken({ jwtSecret }: Secret, claims: Record<string, unknown>, header: object = { alg: "HS256", typ: "JWT" }): string {
  const now = Math.floor(Date.now() / 1_000);
  const session = { aud: "authenticated", role: "authenticated", iat: now, exp: now + 3_600, session_id: claims["sub"] };
  const signed = `${encode(header)}.${encode({ ...session, ...claims })}`;
  return `${signed}.${createHmac("sha256", jwtSecret).update(signed).digest("base64url")}`;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
