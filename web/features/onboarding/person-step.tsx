import { jobTitleMaxLength } from "#contract/limits.ts";
import { TextField } from "../../components/text-field.tsx";
import { avatarRules } from "../../lib/picture-rules.ts";
import type { Pictures } from "./picture-store.ts";
import { PictureField } from "../../components/picture-field.tsx";
import css from "./step.module.css";

/** Step 2, "It's all about you...". */
export function PersonStep({ avatar, onAvatar }: { avatar: Pictures["avatar"]; onAvatar: (file: File | undefined) => void }) {
  return (
    <div className={css.fields}>
      <TextField name="jobTitle" label="Job title" autoComplete="organization-title" maxLength={jobTitleMaxLength} />
      <PictureField label="Avatar" rules={avatarRules} file={avatar} optional round onChoose={onAvatar} />
    </div>
  );
}
