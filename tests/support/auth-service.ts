import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Env } from "../../edge-functions/_shared/env.ts";

export interface Answer {
  status: number;
  body: unknown;
}

export interface AuthCall {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

export interface AuthService {
  env: Env;
  calls: AuthCall[];
  answer(call: string, answer: Answer | number): void;
  stop(): void;
}

export async function startAuthService(): Promise<AuthService> {
  const answers = new Map<string, Answer | number>();
  const calls: AuthCall[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://x");
    const text = (await request.toArray()).join("");
    const path = pathname.replace("/auth/v1", "") + search;
    calls.push({
      method: request.method ?? "GET",
      path,
      headers: request.headers,
      body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
    });
    const answer = answers.get(`${request.method} ${path.split("?")[0]}`) ?? { status: 200, body: null };
    if (typeof answer === "number") await new Promise((resolve) => setTimeout(resolve, answer));
    const { status, body } = typeof answer === "number" ? { status: 503, body: {} } : answer;
    const headers = { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const supabaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      supabaseUrl,
      publishableKey: "publishable",
      secretKey: "secret",
      databaseUrl: "postgresql://x",
      jwks: [],
      publicUrl: "https://tidings.example",
      captchaSiteKey: null,
      analyticsSrc: null,
      oauthProviders: [],
      mail: null,
      mailRate: 10,
      mailFirstWeek: 500,
      mailEvents: { secret: null, signing: [], login: null },
      dkimSelector: null,
      webhooksToPrivate: false,
      importsToPrivate: false,
      backupsToPrivate: false,
      assistantsToPrivate: false,
      signOnToPrivate: false,
      dnsServer: null,
      domainsAt: null,
      certificateAuthorities: ["letsencrypt.org"],
      importHosts: {},
      securityContact: null,
      trustedProxies: 2,
      rateLimitScale: 1,
    },
    calls,
    answer: (call, answer) => void answers.set(call, answer),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
