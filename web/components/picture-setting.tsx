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
  /** Said when it worked. */
  saved: string;
}

/** A picture that is stored as soon as it was chosen. */
export function PictureSetting({ save, saved, ...field }: PictureSettingProps) {
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();

  async function store(chosen: File) {
    setFile(chosen);
    setProblem(undefined);
    try {
      await save(chosen);
      toasts.success(saved);
    } catch (error) {
      setProblem(
        error instanceof ApiError ? (error.fields.image ?? error.message) : "The picture could not be stored. Please try again later.",
      );
    } finally {
      setFile(undefined);
    }
  }
  return <PictureField {...field} busy={file !== undefined} error={problem} onChoose={(chosen) => chosen && void store(chosen)} />;
}
