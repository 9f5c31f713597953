import { z } from "zod";
import { fullName } from "#contract/auth.ts";
import { fullNameMaxLength, jobTitleMaxLength } from "#contract/limits.ts";
import type { Profile } from "#contract/profile.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { PictureSetting } from "../../components/picture-setting.tsx";
import { Section } from "../../components/section.tsx";
import { TextField } from "../../components/text-field.tsx";
import { avatarRules } from "../../lib/picture-rules.ts";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateProfile } from "./use-update-profile.ts";

const nameAndTitle = z.object({ fullName, jobTitle: z.string().trim().max(jobTitleMaxLength).optional() });

/** Name, job title and avatar, as colleagues see them. */
export function PersonSection({ profile }: { profile: Profile }) {
  const { update, uploadAvatar, removeAvatar } = useUpdateProfile();
  return (
    <Section title="You" text="How your team sees you.">
      <PictureSetting label="Avatar" rules={avatarRules} current={profile.avatar_url} round save={uploadAvatar} remove={removeAvatar} />
      <ContractForm
        schema={nameAndTitle}
        initialValues={{ fullName: profile.full_name, jobTitle: profile.job_title ?? undefined }}
        failure="Your profile could not be saved. Please try again later."
        onSubmit={async ({ fullName, jobTitle }) => {
          await update({ fullName, jobTitle: jobTitle || (profile.job_title === null ? undefined : null) });
          toasts.success("Profile saved");
        }}
      >
        {({ submitting }) => (
          <>
            <TextField name="fullName" label="Full name" autoComplete="name" maxLength={fullNameMaxLength} />
            <TextField name="jobTitle" label="Job title" autoComplete="organization-title" optional maxLength={jobTitleMaxLength} />
            <div>
              <Button type="submit" variant="primary" busy={submitting}>
                Save
              </Button>
            </div>
          </>
        )}
      </ContractForm>
    </Section>
  );
}
