import { useSWRConfig } from "swr";
import useSWRMutation from "swr/mutation";
import { postEndpoints, type CreatePostInput, type Post, type UpdatePostInput } from "#contract/posts.ts";
import { address } from "../../../lib/api-client.ts";
import { createPost, updatePost } from "./post-calls.ts";

/** The SWR key of one post: the address it is read from. */
export const postKey = (id: string): string => address(postEndpoints.read.path, { id });

/** Saves a post; its answer becomes what every reader of the post sees. Throws an ApiError. */
export function useSavePost() {
  const { mutate } = useSWRConfig();
  return useSWRMutation(
    "posts/save",
    async (_key, { arg: { id, body } }: { arg: { id: string; body: UpdatePostInput } }): Promise<Post> => {
      const post = await updatePost(id, body);
      await mutate(postKey(id), { post }, { revalidate: false });
      return post;
    },
  );
}

/** Creates a post. Throws an ApiError. */
export function useCreatePost() {
  const { mutate } = useSWRConfig();
  return useSWRMutation("posts/create", async (_key, { arg: body }: { arg: CreatePostInput }): Promise<Post> => {
    const post = await createPost(body);
    await mutate(postKey(post.id), { post }, { revalidate: false });
    return post;
  });
}
