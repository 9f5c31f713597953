import { z } from "zod";
import { siteOrigin } from "#contract/workspaces.ts";

/** One site as it is typed: "https://example.com/" is meant without the slash. */
export const siteForm = z.object({
  site: z
    .string({ error: "Please enter the address of a site, such as https://example.com" })
    .transform((typed) => typed.trim().replace(/\/+$/, ""))
    .pipe(siteOrigin),
});
