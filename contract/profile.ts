import { z } from "zod";
import { fullName } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, time } from "./fields.ts";
import { jobTitleMaxLength } from "./limits.ts";

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

export const updateProfileInput = z
  .object({ fullName: fullName.optional(), jobTitle: line("Your job title is required", jobTitleMaxLength).optional() })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), { error: "There is nothing to change" });

export const profileEndpoints = {
  me: endpoint({
    method: "GET",
    path: "/api/profiles/me",
    summary: "The signed-in person's profile",
    access: "signed-in",
    status: 200,
    response: z.object({ success: z.literal(true), profile }),
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/profiles/me",
    summary: "Change the name or the job title; absent fields stay",
    access: "signed-in",
    body: updateProfileInput,
    status: 200,
    response: z.object({ success: z.literal(true), profile }),
  }),
  uploadAvatar: endpoint({
    method: "POST",
    path: "/api/profiles/me/avatar",
    summary: "Set the avatar: one PNG, JPEG, WebP or GIF under 2 MB",
    access: "signed-in",
    limit: "upload",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), avatar_url: z.string() }),
    errors: ["file_not_image"],
  }),
} as const;
