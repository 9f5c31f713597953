import { useSWRConfig } from "swr";
import { profileEndpoints, type Profile } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { profileKey } from "../session/profile.ts";

/** Changes the person's profile and shows the answer everywhere at once. Throws ApiError. */
export function useUpdateProfile() {
  const { mutate } = useSWRConfig();
  const show = (changes: Partial<Profile>) =>
    mutate<Profile>(profileKey, (profile) => profile && { ...profile, ...changes }, { revalidate: false });
  return {
    async update(body: { fullName?: string; jobTitle?: string | null }): Promise<void> {
      await show((await call(profileEndpoints.update, { body })).profile);
    },
    async uploadAvatar(file: File): Promise<void> {
      const { avatar_url } = await call(profileEndpoints.uploadAvatar, { file });
      await show({ avatar_url });
    },
    async removeAvatar(): Promise<void> {
      await call(profileEndpoints.removeAvatar);
      await show({ avatar_url: null });
    },
  };
}
