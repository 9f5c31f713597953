import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, type TagColour } from "#contract/tags.ts";
import { call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";

export interface WorkspaceTags {
  /** The default tags and the workspace's own; only the default ones until those are known. */
  tags: readonly Tag[];
  /** Adds one and answers it with its key. Throws an ApiError. */
  create(label: string, colour: TagColour): Promise<Tag>;
}

/** The tags a workspace offers, asked for once and shared by all who show tags. */
export function useTags(workspaceId: string): WorkspaceTags {
  const { data, mutate } = useCall(tagEndpoints.list, { params: { workspaceId } });
  return {
    tags: data?.tags ?? defaultTags,
    create: async (label, colour) => {
      const { tag } = await call(tagEndpoints.create, { params: { workspaceId }, body: { label, colour } });
      await mutate();
      return tag;
    },
  };
}
