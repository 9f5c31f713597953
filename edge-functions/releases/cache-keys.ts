/**
 * By what a shared cache in front can be told to forget an answer: everything of a workspace, or one post. Cache-Tag is what Cloudflare
 * and Bunny read, Surrogate-Key what Fastly and Varnish do.
 */
export function cacheKeys(workspaceId: string, postId?: string): Record<string, string> {
  const keys = [`workspace-${workspaceId}`, ...(postId === undefined ? [] : [`post-${postId}`])];
  return { "cache-tag": keys.join(","), "surrogate-key": keys.join(" ") };
}
