import { previewLinkEndpoints } from "#contract/preview-links.ts";
import { hashOfPreviewToken, makePreviewToken, previewPath } from "#contract/rules/preview-token.ts";
import type { Binder } from "../_shared/handle.ts";
import { originBelow } from "../_shared/public-origin.ts";
import type { Database } from "../_shared/clients.ts";
import { type PublicPlace, readPlace } from "./public-place.ts";
import { rows } from "./result.ts";

export function bindPreviewLinks({ signedIn }: Binder): void {
  signedIn(previewLinkEndpoints.list, async ({ db, params }) => {
    return { links: await rows(db.rpc("list_preview_links", { post_id: params.id })) };
  });

  signedIn(previewLinkEndpoints.create, async ({ db, params, body, env }) => {
    const token = makePreviewToken(); // answered once, and goes nowhere else
    const token_hash = await hashOfPreviewToken(token);
    const [link, { subdomain }] = await Promise.all([
      rows(db.rpc("create_preview_link", { post_id: params.id, token_hash, ...body })),
      placeOf(db, params.id),
    ]);
    // Below the product's host, where the workspace is also while its changelog is closed and whatever becomes of a name of its own.
    return { link, url: originBelow(env.publicUrl, subdomain) + previewPath(token) };
  });

  signedIn(previewLinkEndpoints.revoke, async ({ db, params }) => {
    await rows(db.rpc("revoke_preview_link", { post_id: params.id, link_id: params.linkId }));
    return { success: true as const };
  });
}

async function placeOf(db: Database, postId: string): Promise<PublicPlace> {
  const { workspace_id } = await rows(db.from("posts").select("workspace_id").eq("id", postId).single());
  return await readPlace(db, workspace_id);
}
