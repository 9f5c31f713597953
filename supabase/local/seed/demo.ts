import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import type { SeedImage } from "./blocks.ts";
import { DemoClient } from "./client.ts";
import { demoProvider } from "./demo-provider.ts";
import { seedPosts, type SeedPost } from "./posts.ts";

export const demoAccount = { email: "demo@tidings.example", password: "tidings-demo", fullName: "Dana Demo" } as const;
export const demoSubdomain = "demo";

const imagesFolder = join(import.meta.dirname!, "images");
const imageFiles = ["widget.webp"] as const;
type Images = Record<(typeof imageFiles)[number], SeedImage>;

interface Demo {
  url: string;
  sql: Sql;
  withProvider: boolean;
}

export async function seedDemo({ url, sql, withProvider }: Demo): Promise<void> {
  const client = new DemoClient(url);
  await client.signUpAndIn(demoAccount);
  const { workspace } = await client.post<{ workspace: { id: string } }>("/api/workspaces/create", {
    name: "Tidings",
    subdomain: demoSubdomain,
    origin: "https://tidings.example",
    jobTitle: "Product manager",
  });
  const images = await uploadImages(client, workspace.id);
  for (const post of seedPosts) await client.post("/api/posts", postBody(post, workspace.id, images));
  await client.post("/api/public/changelog/toggle", { workspaceId: workspace.id, isPublic: true });
  if (withProvider) await setUpSingleSignOn(client, sql, workspace.id);
}

/** The domain isn't proven by DNS, as it is nobody's. */
async function setUpSingleSignOn(client: DemoClient, sql: Sql, workspaceId: string): Promise<void> {
  const { issuer, clientId: client_id, secret: client_secret, domain } = demoProvider;
  const save = (is_on: boolean) =>
    client.put(`/api/workspaces/${workspaceId}/identity-provider`, {
      ...{ kind: "oidc", issuer, client_id, client_secret, join_as: "viewer", is_on, is_required: false },
    });
  await client.post(`/api/workspaces/${workspaceId}/add-ons`, { add_ons: ["sso"] });
  await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${workspaceId}, ${domain}, now())`;
  await save(false);
  await sql`update private.identity_providers set tested_at = now() where workspace_id = ${workspaceId}`;
  await save(true);
}

function postBody(post: SeedPost, workspaceId: string, images: Images): Record<string, unknown> {
  const from = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { state } = post;
  return {
    title: post.title,
    tags: post.tags,
    workspace_id: workspaceId,
    blocks: post.blocks(images),
    ...(state === "draft"
      ? { status: state }
      : "scheduledInHours" in state
        ? { status: "scheduled", publish_at: from(state.scheduledInHours) }
        : { status: "published", published_at: from(-24 * state.publishedDaysAgo) }),
  };
}

async function uploadImages(client: DemoClient, workspaceId: string): Promise<Images> {
  const stored: Partial<Images> = {};
  for (const name of imageFiles) {
    const file = new File([await readFile(join(imagesFolder, name))], name, { type: "image/webp" });
    stored[name] = (await client.upload<{ file: SeedImage }>(`/api/workspaces/${workspaceId}/editor/image-upload`, file)).file;
  }
  return stored as Images;
}
