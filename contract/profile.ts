import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";

export const profile = z.object({
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  job_title: z.string().nullable(),
  company_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: time,
});
export type Profile = z.infer<typeof profile>;

export const profileEndpoints = {
  me: endpoint({
    method: "GET",
    path: "/api/profiles/me",
    summary: "The signed-in person's profile",
    access: "signed-in",
    status: 200,
    response: z.object({ success: z.literal(true), profile }),
  }),
  uploadAvatar: endpoint({
    method: "POST",
    path: "/api/profiles/me/avatar",
    summary: "Set the avatar: one PNG, JPEG, WebP or GIF under 2 MB",
    access: "signed-in",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), avatar_url: z.string() }),
    errors: ["file_not_image"],
  }),
} as const;
