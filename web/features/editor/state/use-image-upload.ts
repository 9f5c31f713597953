import { useCallback, useState } from "react";
import { toasts } from "../../../lib/toasts.ts";
import { imageProblem, uploadFailure, uploadImage } from "../api/upload-image.ts";
import type { UploadImage } from "../model/tools.ts";

export interface ImageUpload {
  upload: UploadImage;
  /** Uploads under way. */
  uploading: number;
}

/** Uploads for the image block: checks the file, says what went wrong, counts what is under way. */
export function useImageUpload(workspaceId: string): ImageUpload {
  const [uploading, setUploading] = useState(0);

  const upload = useCallback<UploadImage>(
    async (file) => {
      const problem = imageProblem(file);
      if (problem) return refuse(problem);
      setUploading((count) => count + 1);
      try {
        return { success: 1, file: await uploadImage(workspaceId, file) };
      } catch (error) {
        return refuse(uploadFailure(error));
      } finally {
        setUploading((count) => count - 1);
      }
    },
    [workspaceId],
  );

  return { upload, uploading };
}

function refuse(sentence: string): Awaited<ReturnType<UploadImage>> {
  toasts.error("The image was not uploaded", sentence);
  return { success: 0, file: { url: "" } };
}
