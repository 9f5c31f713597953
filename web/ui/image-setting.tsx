import { useState } from "react";
import { ApiError } from "../lib/api-client.ts";
import type { ImageRules } from "../lib/image-rules.ts";
import { toasts } from "../lib/toasts.ts";
import { ImageField } from "./image-field.tsx";

interface ImageSettingProps {
  label: string;
  rules: ImageRules;
  current: string | null;
  round?: boolean;
  save: (file: File) => Promise<void>;
  remove: () => Promise<void>;
}

export function ImageSetting({ save, remove, ...field }: ImageSettingProps) {
  const [file, setFile] = useState<File>();
  const [working, setWorking] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function run(what: string, act: () => Promise<void>, done: string, failed: string) {
    setWorking(what);
    setProblem(undefined);
    try {
      await act();
      toasts.success(`${field.label} ${done}`);
    } catch (error) {
      setProblem(
        error instanceof ApiError ? (error.fields.image ?? error.message) : `Couldn't ${failed} the image. Please try again later.`,
      );
    } finally {
      setFile(undefined);
      setWorking(undefined);
    }
  }
  function choose(chosen: File | undefined) {
    if (!chosen) return;
    setFile(chosen);
    void run("Uploading…", () => save(chosen), "saved", "save");
  }
  return (
    <ImageField
      {...field}
      file={file}
      working={working}
      error={problem}
      onChoose={choose}
      onRemove={() => void run("Removing…", remove, "removed", "remove")}
    />
  );
}
