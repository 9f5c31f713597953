import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTokenVerifier } from "./tokens.ts";

/** Hosted projects use ES256 or RS256; the embedded stack, used by all other tests, HS256. */
const id = "0f8f7a3e-1111-4222-8333-444455556666";
const sign = (key: CryptoKey | Uint8Array, alg: string, kid?: string, claims: Record<string, unknown> = {}) =>
  new SignJWT({ role: "authenticated", email: "ada@example.com", ...claims })
    .setProtectedHeader({ alg, kid })
    .setSubject(id)
    .setAudience("authenticated")
    .setExpirationTime("1h")
    .sign(key);

const secret = new TextEncoder().encode("s".repeat(48));
const symmetric = { kty: "oct", alg: "HS256", k: Buffer.from(secret).toString("base64url") };
const keys: Record<"ES256" | "RS256", { privateKey: CryptoKey; jwk: JWK }> = {} as never;
let server: Server;
let asked = 0;
let published: JWK[] | number = [];

beforeAll(async () => {
  for (const alg of ["ES256", "RS256"] as const) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    keys[alg] = { privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid: alg, use: "sig" } };
  }
  server = createServer((_, answer) => {
    asked += 1;
    if (typeof published === "number") return void answer.writeHead(published).end();
    answer.setHeader("content-type", "application/json").end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
beforeEach(() => {
  published = [keys.ES256.jwk];
  asked = 0;
});
afterAll(() => server.close());

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const lines: unknown[] = [];
const verifierOf = (...jwks: object[]) =>
  createTokenVerifier({ jwks: jwks as Record<string, unknown>[], supabaseUrl: address() }, (line) => lines.push(line));

describe("a token", () => {
  test.each(["ES256", "RS256"] as const)("signed with %s is verified with the project's public key", async (alg) => {
    const token = await sign(keys[alg].privateKey, alg, alg);
    expect(await verifierOf(keys.ES256.jwk, keys.RS256.jwk)(token)).toMatchObject({ id, email: "ada@example.com", token });
  });

  test("signed with HS256 is verified only with the project's symmetric key", async () => {
    const token = await sign(secret, "HS256");
    expect(await verifierOf(symmetric)(token)).toMatchObject({ id });
    expect(await verifierOf(keys.RS256.jwk)(token)).toBeNull();
  });

  test("signed by HMAC with a public key is rejected in every form (algorithm confusion)", async () => {
    const forms = [
      JSON.stringify(keys.RS256.jwk),
      String(keys.RS256.jwk.n),
      Buffer.from(String(keys.RS256.jwk.n), "base64url").toString("latin1"),
    ];
    for (const form of forms) {
      const token = await sign(new TextEncoder().encode(form.padEnd(32)), "HS256", "RS256");
      expect(await verifierOf(keys.RS256.jwk)(token)).toBeNull();
      expect(await verifierOf(keys.RS256.jwk, symmetric)(token)).toBeNull();
    }
  });

  test("signed with a foreign key is rejected", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    expect(await verifierOf(keys.ES256.jwk)(await sign(privateKey, "ES256", "ES256"))).toBeNull();
  });

  test("is verified with the JWKS, fetched once", async () => {
    const verify = verifierOf();
    const token = await sign(keys.ES256.privateKey, "ES256", "ES256");
    expect(await Promise.all([verify(token), verify(token), verify(token)])).toMatchObject([{ id }, { id }, { id }]);
    expect(asked).toBe(1);
  });

  test.each([{ role: "anon" }, { role: "service_role" }, { role: undefined }, { sub: "x" }, { aud: "other" }])(
    "with %j is rejected",
    async (claims) => {
      const token = await new SignJWT({ role: "authenticated", sub: id, aud: "authenticated", ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(secret);
      expect(await verifierOf(symmetric)(token)).toBeNull();
    },
  );
});

describe("an expired token", () => {
  const ended = (claims: Record<string, unknown> = {}) =>
    new SignJWT({ role: "authenticated", sub: id, aud: "authenticated", exp: 1_000, ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .sign(secret);

  test("is rejected, and reveals its owner only on request", async () => {
    const [verify, token] = [verifierOf(symmetric), await ended()];
    expect(await verify(token, { ignoreExpiration: true })).toMatchObject({ id, expiresAt: 1_000_000 });
    expect(await verify(token)).toBeNull();
  });

  test.each([{ role: "anon" }, { sub: "x" }, { aud: "other" }, { nbf: 99_999_999_999 }, { exp: undefined }])(
    "with %j has no owner",
    async (claims) => expect(await verifierOf(symmetric)(await ended(claims), { ignoreExpiration: true })).toBeNull(),
  );

  test("with an invalid signature has no owner", async () => {
    const [head, , signature] = (await ended()).split(".");
    const body = Buffer.from(JSON.stringify({ role: "authenticated", sub: id, aud: "authenticated", exp: 1_001 })).toString("base64url");
    expect(await verifierOf(symmetric)(`${head}.${body}.${signature}`, { ignoreExpiration: true })).toBeNull();
  });
});

describe("a project with a rotated key", () => {
  const verifier = () => verifierOf(keys.RS256.jwk);

  test("accepts the new key from the JWKS", async () => {
    const verify = verifier();
    expect(await verify(await sign(keys.ES256.privateKey, "ES256", "ES256"))).toMatchObject({ id });
    expect(await verify(await sign(keys.RS256.privateKey, "RS256", "RS256"))).toMatchObject({ id });
    expect(asked).toBe(1);
  });

  test("isn't queried for every unknown key", async () => {
    const verify = verifier();
    const { privateKey } = await generateKeyPair("ES256");
    for (let number = 0; number < 50; number++) expect(await verify(await sign(privateKey, "ES256", `no-${number}`))).toBeNull();
    expect(asked).toBe(1);
  });

  test("isn't queried if a given key fits", async () => {
    expect(await verifier()(await sign(keys.RS256.privateKey, "RS256", "RS256"))).toMatchObject({ id });
    expect(asked).toBe(0);
  });

  test("can have no public keys", async () => {
    published = 404;
    expect(await verifier()(await sign(keys.ES256.privateKey, "ES256", "ES256"))).toBeNull();
  });

  test("keeps sessions while the JWKS fails, with a cooldown", async () => {
    published = 503;
    const verify = verifier();
    const token = await sign(keys.ES256.privateKey, "ES256", "ES256");
    for (let number = 0; number < 20; number++) await expect(verify(token)).rejects.toMatchObject({ code: "unavailable" });
    expect(asked).toBe(1);
  });
});

test("sessions with an unknown symmetric key are rejected, and the log says why once", async () => {
  lines.length = 0;
  const verify = verifierOf(keys.ES256.jwk);
  for (let number = 0; number < 3; number++) expect(await verify(await sign(secret, "HS256", undefined, { number }))).toBeNull();
  expect(lines).toEqual([
    { event: "warning", message: "a session signed with HS256 was refused: no symmetric key in SUPABASE_JWKS, no JWT_SECRET" },
  ]);
});
