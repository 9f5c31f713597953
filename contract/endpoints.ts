import { authEndpoints } from "./auth.ts";
import { postEndpoints } from "./posts.ts";
import { profileEndpoints } from "./profile.ts";
import { workspaceEndpoints } from "./workspaces.ts";

/** Every call under /api, by area and name. Source: specification, section 7. */
export const endpoints = {
  auth: authEndpoints,
  profiles: profileEndpoints,
  workspaces: workspaceEndpoints,
  posts: postEndpoints,
} as const;
