import { postListMaxLimit } from "#contract/limits.ts";
import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { call } from "../../../lib/api-client.ts";

const atOnce = 6; // calls: what browsers send to one origin in parallel over HTTP/1

/**
 * All of a workspace's posts, without their content: the server's list knows neither creator nor views, which the table filters and
 * sorts by. 100 posts a call. A post that moves up while they are read comes once. Throws ApiError.
 */
export async function readAllPosts(workspaceId: string, status: "all" | "archived"): Promise<PostSummary[]> {
  const read = (page: number) => call(postEndpoints.list, { params: { workspaceId }, query: { page, limit: postListMaxLimit, status } });
  const first = await read(1);
  const pages = [first.posts];
  const waiting = Array.from({ length: first.pagination.pages - 1 }, (_, index) => index + 2);
  async function work() {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) pages[page - 1] = (await read(page)).posts;
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return [...new Map(pages.flat().map((post) => [post.id, post])).values()];
}
