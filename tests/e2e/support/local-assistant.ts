import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, type OAuthClientProvider, type OAuthDiscoveryState, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "./test.ts";

interface Kept {
  verifier: string;
  tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  found?: OAuthDiscoveryState;
  onAsked?: (url: URL) => void;
}

export async function startAssistant(name: string, mcpUrl: string) {
  const answers: URLSearchParams[] = [];
  const server = createServer(({ url = "/" }, response) => {
    const { pathname, searchParams } = new URL(url, origin);
    if (pathname === "/client.json") {
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    }
    if (pathname === "/callback") answers.push(searchParams);
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Assistant</title><h1>Back at the assistant</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = {
    client_id: `${origin}/client.json`,
    client_name: name,
    redirect_uris: [`${origin}/callback`],
    token_endpoint_auth_method: "none",
  };

  const kept: Kept = { verifier: "" };
  const provider: OAuthClientProvider = {
    redirectUrl: document.redirect_uris[0],
    clientMetadata: document,
    // The URL of its document; the official client's own option accepts only https.
    clientInformation: () => ({ client_id: document.client_id }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => kept.onAsked?.(url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (found) => void (kept.found = found),
    discoveryState: () => kept.found,
    state: () => "s".repeat(2_000),
    invalidateCredentials: () => void delete kept.tokens,
  };
  const entrance = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider });
  const client = () => new Client({ name, version: "1" });

  return {
    host: new URL(origin).host,
    answers,
    token: () => kept.tokens?.access_token,
    async asks(): Promise<string> {
      const asked = new Promise<URL>((resolve) => (kept.onAsked = resolve));
      await expect(client().connect(entrance())).rejects.toThrow();
      return (await asked).href;
    },
    async enters(): Promise<Client> {
      await entrance().finishAuth(answers.at(-1)!);
      const entered = client();
      await entered.connect(entrance());
      return entered;
    },
    stop: () => server.close(),
  };
}
