import { useState } from "react";
import { ApiError } from "../lib/api-client.ts";
import type { PictureRules } from "../lib/picture-rules.ts";
import { toasts } from "../lib/toasts.ts";
import { PictureField } from "./picture-field.tsx";

interface PictureSettingProps {
  label: string;
  rules: PictureRules;
  current: string | null;
  round?: boolean;
  save: (file: File) => Promise<void>;
  remove: () => Promise<void>;
}

/** A picture that is stored as soon as it was chosen, and taken away at once. */
export function PictureSetting({ save, remove, ...field }: PictureSettingProps) {
  const [file, setFile] = useState<File>();
  const [working, setWorking] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function work(what: string, act: () => Promise<void>, done: string, failed: string) {
    setWorking(what);
    setProblem(undefined);
    try {
      await act();
      toasts.success(`${field.label} ${done}`);
    } catch (error) {
      setProblem(
        error instanceof ApiError ? (error.fields.image ?? error.message) : `The picture could not be ${failed}. Please try again later.`,
      );
    } finally {
      setFile(undefined);
      setWorking(undefined);
    }
  }
  function choose(chosen: File | undefined) {
    if (!chosen) return;
    setFile(chosen);
    void work("Uploading…", () => save(chosen), "saved", "stored");
  }
  return (
    <PictureField
      {...field}
      file={file}
      working={working}
      error={problem}
      onChoose={choose}
      onRemove={() => void work("Removing…", remove, "removed", "removed")}
    />
  );
}
