import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider from "oidc-provider";

interface Options {
  redirectUri: string;
  port?: number;
  /** The address is in the ID token rather than in userinfo. */
  hasEmailInIdToken?: boolean;
}

/** oidc-provider, which is certified by the OpenID Foundation. Any name and password sign in; the name is the address. */
export class CertifiedProvider {
  readonly clientId = "tidings";
  readonly #options: Options;
  readonly #server = http.createServer();
  #secret: string = randomUUID();
  #keys: JWK[] = [];
  issuer = "";

  constructor(options: Options) {
    this.#options = options;
  }

  get secret(): string {
    return this.#secret;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(this.#options.port ?? 0, "127.0.0.1", resolve);
    });
    this.issuer = `http://localhost:${(this.#server.address() as AddressInfo).port}`;
    await this.rotateKeys();
    return this;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  rotateSecret(secret: string = randomUUID()): void {
    this.#secret = secret;
    this.#serve();
  }

  async rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    this.#keys = [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: randomUUID() }];
    this.#serve();
  }

  restart(changes: Partial<Options>): void {
    Object.assign(this.#options, changes);
    this.#serve();
  }

  /** Sign-ins under way are lost. */
  #serve(): void {
    const { redirectUri, hasEmailInIdToken = false } = this.#options;
    const claims = (sub: string) => ({ sub, email: sub, email_verified: true, name: sub.split("@")[0] });
    const provider = new Provider(this.issuer, {
      clients: [
        {
          ...{ client_id: this.clientId, client_secret: this.#secret },
          ...{ redirect_uris: [redirectUri], post_logout_redirect_uris: [redirectUri] },
        },
        { client_id: "another", client_secret: randomUUID(), redirect_uris: [redirectUri] },
      ],
      claims: { email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: !hasEmailInIdToken,
      cookies: { keys: [randomUUID()] },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => claims(id) }),
      jwks: { keys: this.#keys },
      loadExistingGrant: async ({ oidc }: { oidc: Grantable }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
      ttl: { IdToken: 300, Interaction: 600, Grant: 600, Session: 600 },
    });
    this.#server.removeAllListeners("request").on("request", provider.callback());
  }
}

interface Grantable {
  provider: { Grant: new (of: { clientId: string; accountId: string }) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
  client: { clientId: string };
  session: { accountId: string };
}

/** A browser without JavaScript that signs in at the provider. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** The query with which it comes back. */
  async signIn(authorization: string, address: string): Promise<URLSearchParams> {
    let next = new URL(authorization);
    const { origin } = next;
    while (next.origin === origin) {
      const isForm = /^\/interaction\/[^/]+$/.test(next.pathname);
      next = await this.#open(next, isForm ? new URLSearchParams({ prompt: "login", login: address, password: "x" }) : undefined);
    }
    return next.searchParams;
  }

  /** Where it continues after it confirmed. */
  async signOut(url: string): Promise<string | null> {
    const page = await (await this.fetch(url)).text();
    const [action, xsrf] = [/action="([^"]+)"/, /name="xsrf" value="([^"]+)"/].map((pattern) => pattern.exec(page)![1]!);
    return (await this.fetch(action!, new URLSearchParams({ xsrf: xsrf!, logout: "yes" }))).headers.get("location");
  }

  async fetch(url: string | URL, body?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { method: body ? "POST" : "GET", body, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(";")[0]!.split("=", 2);
      if (value === "") this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    return response;
  }

  async #open(url: URL, form?: URLSearchParams): Promise<URL> {
    const response = await this.fetch(url, form);
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url.pathname} answers ${response.status}: ${await response.text()}`);
    return new URL(location, url);
  }
}
