import { createHmac } from "node:crypto";
import type { StackFile } from "./stack.ts";

type Secret = Pick<StackFile, "jwtSecret">;

/** An access token as GoTrue signs it, valid for an hour. Its session has the person's id. Claims and header can be replaced. */
export function signToken({ jwtSecret }: Secret, claims: Record<string, unknown>, header: object = { alg: "HS256", typ: "JWT" }): string {
  const now = Math.floor(Date.now() / 1_000);
  const session = { aud: "authenticated", role: "authenticated", iat: now, exp: now + 3_600, session_id: claims["sub"] };
  const signed = `${encode(header)}.${encode({ ...session, ...claims })}`;
  return `${signed}.${createHmac("sha256", jwtSecret).update(signed).digest("base64url")}`;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
