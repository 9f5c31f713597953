import { useCallback, useState } from "react";
import { notAnImage } from "#contract/rules/image-type.ts";
import { toasts } from "../../lib/toasts.ts";
import { copyImage, imageProblem, uploadFailure, uploadImage } from "./upload-image.ts";
import type { PostImages, UploadImage } from "./blocks/editor-block.ts";

export interface ImageUpload extends PostImages {
  uploading: readonly number[];
}

export function useImageUpload(workspaceId: string): ImageUpload {
  const [shares, setShares] = useState<ReadonlyMap<symbol, number>>(new Map());

  const upload = useCallback<UploadImage>(
    async (file) => {
      const problem = imageProblem(file);
      if (problem) return refuse(problem);
      const key = Symbol();
      const onProgress = (share: number) => setShares((before) => new Map(before).set(key, share));
      onProgress(0);
      try {
        return { success: 1, file: await uploadImage(workspaceId, file, onProgress) };
      } catch (error) {
        return refuse(uploadFailure(error));
      } finally {
        setShares((before) => new Map([...before].filter(([other]) => other !== key)));
      }
    },
    [workspaceId],
  );

  const copy = useCallback<PostImages["copy"]>(
    async (url) => {
      try {
        return await copyImage(workspaceId, url);
      } catch (error) {
        return { file: null, problem: uploadFailure(error) };
      }
    },
    [workspaceId],
  );

  return { upload, copy, uploading: [...shares.values()] };
}

export const showNotAnImage = (): void => void refuse(notAnImage);

function refuse(sentence: string): Awaited<ReturnType<UploadImage>> {
  toasts.error("Couldn't upload the image", sentence);
  return { success: 0, file: { url: "" } };
}
