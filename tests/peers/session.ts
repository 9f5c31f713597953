import { randomUUID } from "node:crypto";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import type { StackFile } from "../support/stack.ts";

export interface Made {
  token: string;
  key: string;
  workspaceId: string;
  subdomain: string;
  postId: string;
}

export async function newSession({ url, publicUrl, publishableKey }: StackFile): Promise<Made> {
  const [email, password] = [`${randomUUID()}@example.com`, "correct horse battery"];
  const send = async (address: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + address, {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as unknown;
  };
  await send("/api/auth/signup", { email, password, fullName: "Paula Peer" });
  const mails = (await (await fetch(`${url}/dev/mail.json`)).json()) as { to: string; links: string[] }[];
  const link = mails.find(({ to }) => to === email)?.links.find((address) => address.includes("token_hash="));
  if (!link) throw new Error("no confirmation mail");
  const spent = { type: "signup", token_hash: new URL(link).searchParams.get("token_hash") };
  const { access_token: token } = (await send("/auth/v1/verify", spent, { apikey: publishableKey })) as { access_token: string };
  const subdomain = `peers-${randomUUID().slice(0, 8)}`;
  const workspace = { name: "Peers", subdomain, origin: "https://peers.example", jobTitle: "Tester" };
  const made = (await send("/api/workspaces/create", workspace, { authorization: `Bearer ${token}` })) as { workspace: { id: string } };
  const blocks = { blocks: [{ type: "paragraph", data: { text: "First words." } }] };
  const input = { title: "Hello", blocks, workspace_id: made.workspace.id, public_changelog_enabled: true };
  const written = (await send("/api/posts", input, { authorization: `Bearer ${token}` })) as { post: { id: string } };
  const wanted = { name: "Peers", scopes: apiKeyScopes };
  const { secret: key } = (await send(`/api/workspaces/${made.workspace.id}/keys`, wanted, { authorization: `Bearer ${token}` })) as {
    secret: string;
  };
  return { token, key, workspaceId: made.workspace.id, subdomain, postId: written.post.id };
}
