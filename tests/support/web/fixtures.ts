import type { PostSummary } from "#contract/posts.ts";
import type { OwnProfile } from "#contract/profile.ts";
import type { Dashboard, Workspace } from "#contract/workspaces.ts";

export const ids = {
  person: "11111111-1111-4111-8111-111111111111",
  acme: "22222222-2222-4222-8222-222222222222",
  globex: "33333333-3333-4333-8333-333333333333",
  post: "44444444-4444-4444-8444-444444444444",
} as const;

const day = "2026-01-05T09:00:00.000Z";

export const ada: OwnProfile = {
  user_id: ids.person,
  full_name: "Ada Lovelace",
  email: "ada@acme.example",
  job_title: null,
  company_name: "Acme",
  avatar_url: null,
  created_at: day,
  is_operator: false,
};

export const acme: Workspace = {
  id: ids.acme,
  name: "Acme",
  subdomain: "acme",
  origin: "https://acme.example",
  allowed_origins: ["https://acme.example"],
  logo_url: null,
  public_changelog_enabled: false,
  role: "owner",
  created_at: day,
  suspension: null,
};
export const globex: Workspace = { ...acme, id: ids.globex, name: "Globex", subdomain: "globex", role: "viewer" };

export const draft: PostSummary = {
  id: ids.post,
  workspace_id: ids.acme,
  title: "Faster exports",
  slug: "faster-exports",
  excerpt: "Exports take half the time.",
  summary: null,
  status: "draft",
  tags: ["feature"],
  publish_at: null,
  published_at: null,
  created_at: day,
  updated_at: day,
  archived_at: null,
  created_by: ids.person,
  created_by_name: "Ada Lovelace",
  author_name: null,
  version: 1,
};

export const emptyDashboard: Dashboard = {
  recentPosts: [],
  upcomingPosts: [],
  count: 0,
  hasArchive: false,
  creators: [],
  views: null,
  memberCount: 1,
  recentActivities: [],
  public_changelog_enabled: false,
  firstSteps: { written: false, readable: false, installed: false, invited: false },
};

export const config = {
  supabaseKey: "key",
  host: "localhost:3000",
  captchaSiteKey: null,
  analyticsSrc: null,
  oauthProviders: [],
  signUp: { mode: "open", domains: [], is_offered: true },
};

export const signedIn = (workspaces: Workspace[] = [acme]) => ({
  "GET /api/config": config,
  "GET /api/profiles/me": { success: true, profile: ada },
  "GET /api/workspaces": { workspaces },
  "GET /api/team/role/*": { role: workspaces[0]?.role ?? "viewer" },
  "GET /api/workspaces/*/add-ons": { add_ons: [{ add_on: "teams", granted_at: day }], requested: [], included: true },
});
