import type { z } from "zod";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, type TagColour } from "#contract/tags.ts";
import { type ApiError, call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import { emitMissed } from "../post-events.ts";
import { useRefreshPosts } from "../table/use-table-page.ts";

type TagList = z.output<typeof tagEndpoints.list.response>;

export interface WorkspaceTags extends TagList {
  /** The default tags and the workspace's own; only the default ones until those are known. */
  tags: Tag[];
  known: boolean;
  error: ApiError | undefined;
  reload(): Promise<unknown>;
  /** Adds one and answers it with its key. Throws an ApiError. */
  create(label: string, colour: TagColour): Promise<Tag>;
}

const unknown: TagList = { tags: [...defaultTags], carried: [], former: {} };

/** The tags a workspace offers and its posts carry, asked for once and shared by all who show tags. */
export function useTags(workspaceId: string): WorkspaceTags {
  const { data, error, mutate } = useCall(tagEndpoints.list, { params: { workspaceId } });
  return {
    ...(data ?? unknown),
    known: data !== undefined,
    error,
    reload: () => mutate(),
    create: async (label, colour) => {
      const { tag } = await call(tagEndpoints.create, { params: { workspaceId }, body: { label, colour } });
      await mutate();
      return tag;
    },
  };
}

/** Changes a workspace's tags; every list of posts follows. Each answers how many posts have changed, and throws an ApiError. */
export function useTagChanges(workspaceId: string) {
  const { reload } = useTags(workspaceId);
  const refreshPosts = useRefreshPosts(workspaceId);
  const params = { workspaceId };

  async function follow<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      emitMissed(workspaceId); // also when it failed: a colleague was faster, or no answer came
      await Promise.all([reload(), refreshPosts()]);
    }
  }
  return {
    change: (key: string, body: { label: string; colour: TagColour }) =>
      follow(call(tagEndpoints.change, { params, query: { key }, body })),
    merge: (key: string, into: string) => follow(call(tagEndpoints.merge, { params, body: { key, into } })),
    remove: (key: string) => follow(call(tagEndpoints.remove, { params, query: { key } })),
  };
}
export type TagChanges = ReturnType<typeof useTagChanges>;
