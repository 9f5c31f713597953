import { z } from "zod";
import { useSWRConfig } from "swr";
import { fullName } from "#contract/auth.ts";
import { fullNameMaxLength, jobTitleMaxLength } from "#contract/limits.ts";
import { type OwnProfile, type Profile, profileEndpoints } from "#contract/profile.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { ImageSetting } from "../../ui/image-setting.tsx";
import { Grid } from "../../ui/layout.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { avatarRules } from "../../lib/image-rules.ts";
import { toasts } from "../../lib/toasts.ts";
import { call } from "../../lib/api-client.ts";
import { profileKey } from "../account/profile.ts";

const nameAndTitle = z.object({ fullName, jobTitle: z.string().trim().max(jobTitleMaxLength).optional() });

export function PersonSection({ profile }: { profile: Profile }) {
  const { update, uploadAvatar, removeAvatar } = useUpdateProfile();
  return (
    <Section title="You" text="How your team sees you.">
      <ImageSetting label="Avatar" rules={avatarRules} current={profile.avatar_url} round save={uploadAvatar} remove={removeAvatar} />
      <ContractForm
        schema={nameAndTitle}
        initialValues={{ fullName: profile.full_name, jobTitle: profile.job_title ?? undefined }}
        failure="Couldn't save your profile. Please try again later."
        onSubmit={async ({ fullName, jobTitle }) => {
          await update({ fullName, jobTitle: jobTitle || (profile.job_title === null ? undefined : null) });
          toasts.success("Profile saved");
        }}
      >
        <Grid min="14rem">
          <TextField name="fullName" label="Full name" autoComplete="name" maxLength={fullNameMaxLength} />
          <TextField name="jobTitle" label="Job title" autoComplete="organization-title" optional maxLength={jobTitleMaxLength} />
        </Grid>
        <SubmitButton variant="primary">Save</SubmitButton>
      </ContractForm>
    </Section>
  );
}

/** Updates the cached profile too. Throws ApiError. */
function useUpdateProfile() {
  const { mutate } = useSWRConfig();
  const updateCache = (changes: Partial<Profile>) =>
    mutate<OwnProfile>(profileKey, (profile) => profile && { ...profile, ...changes }, { revalidate: false });
  return {
    async update(body: { fullName?: string; jobTitle?: string | null }): Promise<void> {
      await updateCache((await call(profileEndpoints.update, { body })).profile);
    },
    async uploadAvatar(file: File): Promise<void> {
      const { avatar_url } = await call(profileEndpoints.uploadAvatar, { file });
      await updateCache({ avatar_url });
    },
    async removeAvatar(): Promise<void> {
      await call(profileEndpoints.removeAvatar);
      await updateCache({ avatar_url: null });
    },
  };
}
