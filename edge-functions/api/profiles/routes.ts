import { avatarMaxBytes } from "#contract/limits.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { removeDiscardedFiles } from "../../_shared/discarded-files.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireImage } from "../images/image-file.ts";
import { presentProfile } from "./presenter.ts";
import { storeAvatar } from "../images/queries.ts";
import { findProfile, isOperator, mutedEmails, setAvatar, setMutedEmails, updateProfile } from "./queries.ts";

export function bindProfiles({ signedIn }: Binder): void {
  signedIn(profileEndpoints.me, async ({ db, user }) => {
    const [row, is_operator] = await Promise.all([findProfile(db, user.id), isOperator(db)]);
    return { success: true as const, profile: { ...presentProfile(row, user.email), is_operator } };
  });

  signedIn(profileEndpoints.update, async ({ db, user, body }) => {
    const row = await updateProfile(db, user.id, { full_name: body.fullName, job_title: body.jobTitle });
    return { success: true as const, profile: presentProfile(row, user.email) };
  });

  signedIn(profileEndpoints.emails, async ({ db }) => ({ muted: await mutedEmails(db) }));

  signedIn(profileEndpoints.setEmails, async ({ db, body }) => {
    await setMutedEmails(db, body.muted);
    return { success: true as const };
  });

  signedIn(profileEndpoints.uploadAvatar, async ({ db, user, file, env }) => {
    const image = requireImage(file, avatarMaxBytes, "Avatar file size must be less than 2MB");
    const url = await storeAvatar(db, user.id, image);
    await setAvatar(db, user.id, url);
    await removeDiscardedFiles(env);
    return { success: true as const, avatar_url: url };
  });

  signedIn(profileEndpoints.removeAvatar, async ({ db, user, env }) => {
    await setAvatar(db, user.id, null);
    await removeDiscardedFiles(env);
    return { success: true as const };
  });
}
