import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

/** Changed claims and signature of the next ID token. */
export interface Lie {
  claims?: JWTPayload;
  signedBy?: "nobody" | "another key";
  discovery?: Record<string, unknown>;
  userInfo?: Record<string, unknown>;
}

interface Grant {
  claims: Record<string, unknown>;
  nonce: string;
  challenge: string;
  clientId: string;
}

/** An OpenID Connect provider whose people approve at once, and that can lie. */
export class IdentityProvider {
  readonly clientId = "tidings";
  secret = randomUUID();
  lie: Lie = {};
  url = "";
  readonly #grants = new Map<string, Grant>();
  readonly #server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      this.#answer(new URL(request.url!, this.url).pathname, body, request.headers.authorization ?? "").then(
        ({ status, ...json }) => response.writeHead(status as number, { "content-type": "application/json" }).end(JSON.stringify(json)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  #keys: Record<"own" | "another", CryptoKeyPair> | undefined;

  async start(): Promise<this> {
    const pair = async () => (await generateKeyPair("RS256", { extractable: true })) as CryptoKeyPair;
    this.#keys = { own: await pair(), another: await pair() };
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.#server.close();
  }

  /** The query with which the browser comes back. */
  approve(authorization: string, claims: Record<string, unknown>): URLSearchParams {
    const query = new URL(authorization).searchParams;
    const code = randomUUID();
    const [nonce, challenge, clientId, state] = ["nonce", "code_challenge", "client_id", "state"].map((name) => query.get(name)!);
    this.#grants.set(code, { claims, nonce: nonce!, challenge: challenge!, clientId: clientId! });
    return new URLSearchParams({ code, state: state!, iss: this.url });
  }

  async #answer(path: string, body: string, authorization: string): Promise<Record<string, unknown>> {
    if (path === "/.well-known/openid-configuration") {
      const endpoints = {
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        jwks_uri: `${this.url}/jwks`,
      };
      const supported = { authorization_response_iss_parameter_supported: true, userinfo_endpoint: `${this.url}/userinfo` };
      return { status: 200, issuer: this.url, ...endpoints, ...supported, ...this.lie.discovery };
    }
    if (path === "/jwks") return { status: 200, keys: [{ ...(await exportJWK(this.#keys!.own.publicKey)), alg: "RS256", use: "sig" }] };
    if (path === "/userinfo") return { status: 200, ...this.lie.userInfo };
    const form = new URLSearchParams(body);
    const grant = this.#grants.get(form.get("code") ?? "");
    this.#grants.delete(form.get("code") ?? "");
    const verified = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const basic = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":").map(decodeURIComponent);
    const isUs = basic[0] === this.clientId && basic[1] === this.secret;
    if (!grant || verified !== grant.challenge || !isUs) return { status: 400, error: "invalid_grant" };
    return { status: 200, access_token: randomUUID(), token_type: "Bearer", id_token: await this.#idToken(grant) };
  }

  async #idToken({ claims, nonce, clientId }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const { signedBy, claims: lies } = this.lie;
    const payload = { iss: this.url, aud: clientId, iat: now, exp: now + 300, nonce, ...claims, ...lies };
    if (signedBy === "nobody") return new UnsecuredJWT(payload).encode();
    const key = this.#keys![signedBy === "another key" ? "another" : "own"].privateKey;
    return await new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(key);
  }
}
