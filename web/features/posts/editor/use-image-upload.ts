import { useCallback, useState } from "react";
import { notAnImage } from "#contract/rules/image-type.ts";
import { toasts } from "../../../lib/toasts.ts";
import { copyImage, imageProblem, uploadFailure, uploadImage } from "./upload-image.ts";
import type { PostImages, UploadImage } from "./blocks/editor-block.ts";

export interface ImageUpload extends PostImages {
  /** The share that each upload under way has sent, from 0 to 1. */
  uploading: readonly number[];
}

/** Uploads for the image block: checks the file, says what went wrong, follows what is under way. */
export function useImageUpload(workspaceId: string): ImageUpload {
  const [shares, setShares] = useState<ReadonlyMap<symbol, number>>(new Map());

  const upload = useCallback<UploadImage>(
    async (file) => {
      const problem = imageProblem(file);
      if (problem) return refuse(problem);
      const name = Symbol();
      const follow = (share: number) => setShares((known) => new Map(known).set(name, share));
      follow(0);
      try {
        return { success: 1, file: await uploadImage(workspaceId, file, follow) };
      } catch (error) {
        return refuse(uploadFailure(error));
      } finally {
        setShares((known) => new Map([...known].filter(([other]) => other !== name)));
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

export const sayNoPicture = (): void => void refuse(notAnImage);

function refuse(sentence: string): Awaited<ReturnType<UploadImage>> {
  toasts.error("The image was not uploaded", sentence);
  return { success: 0, file: { url: "" } };
}
