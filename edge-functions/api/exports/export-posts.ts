import type { PostForm } from "#contract/workspace-export.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { Download } from "../../_shared/handle.ts";
import { originOf } from "../../_shared/public-origin.ts";
import { readPlace } from "../public-place.ts";
import { changelog } from "./changelog.ts";
import { feed } from "./feed.ts";
import { picturesOf } from "./pictures.ts";
import { readPosts } from "./posts.ts";
import { streamed } from "./streamed.ts";

/** Streamed; refusals are thrown before the first byte. */
export async function exportPosts(env: Env, db: Database, workspaceId: string, form: PostForm): Promise<Download> {
  const now = new Date();
  const { workspace, posts } = await readPosts(db, workspaceId, form);
  const origin = originOf(env.publicUrl, await readPlace(db, workspaceId));
  const fileName = `tidings-${workspace.subdomain}-${now.toISOString().slice(0, 10)}`;
  if (form === "changelog")
    return { name: "CHANGELOG.md", type: "text/markdown", content: await streamed(changelog({ workspace, posts, origin, now })) };
  if (form === "feed")
    return {
      name: `${fileName}.feed.json`,
      type: "application/feed+json",
      content: await streamed(feed({ workspace, posts, origin, now })),
    };
  const { archived } = await import("./archive.ts");
  const archive = archived({ workspace, posts, origin, picture: picturesOf(env), now });
  return { name: `${fileName}.zip`, type: "application/zip", content: await streamed(archive) };
}
