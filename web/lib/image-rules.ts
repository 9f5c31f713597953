import { avatarMaxBytes, logoMaxBytes } from "#contract/limits.ts";
import { imageExtension, imageTypes } from "#contract/rules/image-type.ts";

export interface ImageRules {
  maxBytes: number;
  tooLarge: string;
  hint: string;
}

export const logoRules: ImageRules = {
  maxBytes: logoMaxBytes,
  tooLarge: "File size must be less than 5MB",
  hint: "PNG, JPEG, WebP or GIF, up to 5 MB",
};
export const avatarRules: ImageRules = {
  maxBytes: avatarMaxBytes,
  tooLarge: "Avatar file size must be less than 2MB",
  hint: "PNG, JPEG, WebP or GIF, up to 2 MB",
};

export const acceptedImages = Object.values(imageTypes).join(",");

export async function imageProblem(file: File, rules: ImageRules): Promise<string | null> {
  const notAnImage = "Please select an image file";
  if (!file.type.startsWith("image/")) return notAnImage;
  if (file.size > rules.maxBytes) return rules.tooLarge;
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  return imageExtension(head) === null ? notAnImage : null;
}
