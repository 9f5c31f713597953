import { previewLinkEndpoints } from "#contract/preview-links.ts";
import { makePreviewToken, previewPath } from "#contract/rules/preview-token.ts";
import type { Binder } from "../_shared/handle.ts";
import { originBelow } from "../_shared/public-origin.ts";
import type { Database } from "../_shared/clients.ts";
import { type PublicPlace, readPlace } from "./public-place.ts";
import { rows } from "./result.ts";

export function bindPreviewLinks({ signedIn }: Binder): void {
  signedIn(previewLinkEndpoints.list, async ({ db, params, env }) => {
    const [links, { subdomain }] = await Promise.all([rows(db.rpc("list_preview_links", { post_id: params.id })), placeOf(db, params.id)]);
    return { links: links.map((link) => withUrl(link, env.publicUrl, subdomain)) };
  });

  signedIn(previewLinkEndpoints.create, async ({ db, params, body, env }) => {
    const [link, { subdomain }] = await Promise.all([
      rows(db.rpc("create_preview_link", { post_id: params.id, token: makePreviewToken(), ...body })),
      placeOf(db, params.id),
    ]);
    return { link: withUrl(link, env.publicUrl, subdomain) };
  });

  signedIn(previewLinkEndpoints.revoke, async ({ db, params }) => {
    await rows(db.rpc("revoke_preview_link", { post_id: params.id, link_id: params.linkId }));
    return { success: true as const };
  });
}

/** At our own host, which works while the public page is off and independently of custom domains. */
const withUrl = <Link extends { token: string }>({ token, ...link }: Link, publicUrl: string, subdomain: string) => ({
  ...link,
  url: originBelow(publicUrl, subdomain) + previewPath(token),
});

async function placeOf(db: Database, postId: string): Promise<PublicPlace> {
  const { workspace_id } = await rows(db.from("posts").select("workspace_id").eq("id", postId).single());
  return await readPlace(db, workspace_id);
}
