import { useCallback } from "react";
import { useSWRConfig } from "swr";
import useSWRMutation from "swr/mutation";
import { postEndpoints, type CreatePostInput, type Post, type UpdatePostInput } from "#contract/posts.ts";
import { address } from "../../../lib/api-client.ts";
import { createPost, readPost, updatePost } from "../post-calls.ts";

/** The SWR key of one post: the address it is read from. */
export const postKey = (id: string): string => address(postEndpoints.read.path, { id });

/** `key` names the write: the same key and body again are the same write. */
type Save = { id: string; body: UpdatePostInput; key: string };
type Create = { body: CreatePostInput; key: string };

/** Saves a post; its answer becomes what every reader of the post sees. Throws an ApiError. */
export function useSavePost() {
  const { mutate } = useSWRConfig();
  return useSWRMutation("posts/save", async (_key, { arg: { id, body, key } }: { arg: Save }): Promise<Post> => {
    const post = await updatePost(id, body, key);
    await mutate(postKey(id), { post }, { revalidate: false });
    return post;
  });
}

/** Reads a post as it is now; its answer becomes what every reader of the post sees. Throws an ApiError. */
export function useReadPost() {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (id: string): Promise<Post> => {
      const post = await readPost(id);
      await mutate(postKey(id), { post }, { revalidate: false });
      return post;
    },
    [mutate],
  );
}

/** Creates a post. Throws an ApiError. */
export function useCreatePost() {
  const { mutate } = useSWRConfig();
  return useSWRMutation("posts/create", async (_key, { arg: { body, key } }: { arg: Create }): Promise<Post> => {
    const post = await createPost(body, key);
    await mutate(postKey(post.id), { post }, { revalidate: false });
    return post;
  });
}
