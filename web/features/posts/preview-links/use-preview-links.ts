import type { z } from "zod";
import { type PreviewLink, previewLinkEndpoints, type previewLinkInput } from "#contract/preview-links.ts";
import { call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";

/** The links to a post's preview that have not ended, and what can be done with them. What writes throws an ApiError. */
export function usePreviewLinks(postId: string) {
  const params = { id: postId };
  const { data, error, mutate } = useCall(previewLinkEndpoints.list, { params });
  return {
    links: data?.links,
    error,
    reload: () => mutate(),
    create: async (body: z.input<typeof previewLinkInput>) => {
      const made = await call(previewLinkEndpoints.create, { params, body });
      void mutate();
      return made;
    },
    revoke: async ({ id: linkId }: PreviewLink): Promise<void> => {
      await call(previewLinkEndpoints.revoke, { params: { ...params, linkId } });
      await mutate();
    },
  };
}
