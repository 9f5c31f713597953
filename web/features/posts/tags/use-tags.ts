import type { z } from "zod";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, type TagColour } from "#contract/tags.ts";
import { type ApiError, call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import { emitMissed } from "../post-events.ts";
import { useRefreshPosts } from "../table/use-table-page.ts";

type TagList = z.output<typeof tagEndpoints.list.response>;

export interface WorkspaceTags extends TagList {
  tags: Tag[];
  loaded: boolean;
  error: ApiError | undefined;
  reload(): Promise<unknown>;
  create(label: string, colour: TagColour): Promise<Tag>;
}

const unknown: TagList = { tags: [...defaultTags], carried: [], former: {} };

export function useTags(workspaceId: string): WorkspaceTags {
  const { data, error, mutate } = useCall(tagEndpoints.list, { params: { workspaceId } });
  return {
    ...(data ?? unknown),
    loaded: data !== undefined,
    error,
    reload: () => mutate(),
    create: async (label, colour) => {
      const { tag } = await call(tagEndpoints.create, { params: { workspaceId }, body: { label, colour } });
      await mutate();
      return tag;
    },
  };
}

/** Changes tags and reloads all lists. Each returns the number of changed posts and throws an ApiError. */
export function useTagChanges(workspaceId: string) {
  const { reload } = useTags(workspaceId);
  const refreshPosts = useRefreshPosts(workspaceId);
  const params = { workspaceId };

  async function thenReload<Answer>(change: Promise<Answer>): Promise<Answer> {
    try {
      return await change;
    } finally {
      emitMissed(workspaceId); // also after a failure: the change may have arrived
      await Promise.all([reload(), refreshPosts()]);
    }
  }
  return {
    change: (key: string, body: { label: string; colour: TagColour }) =>
      thenReload(call(tagEndpoints.change, { params, query: { key }, body })),
    merge: (key: string, into: string) => thenReload(call(tagEndpoints.merge, { params, body: { key, into } })),
    remove: (key: string) => thenReload(call(tagEndpoints.remove, { params, query: { key } })),
  };
}
export type TagChanges = ReturnType<typeof useTagChanges>;
