import { type LoaderFunction, Navigate, redirect, type RouteObject } from "react-router-dom";
import { PageLoading } from "../ui/page-loading.tsx";
import { loadPart } from "../lib/load-part.ts";
import { paths } from "../lib/paths.ts";
import { PageError } from "./page-error.tsx";
import { RootLayout } from "./root-layout.tsx";

type Page = Extract<NonNullable<RouteObject["lazy"]>, () => unknown>;

/** The auth service returns here with errors of SAML, and the whole response in the query. */
const tellErrors: LoaderFunction = ({ request }) => {
  const error = new URL(request.url).searchParams.get("error");
  return error === null ? null : redirect(`/auth/callback?${new URLSearchParams({ error })}`);
};

/** Retries chunks that fail to load, then shows PageError: React Router renders nothing for a page whose `lazy` rejects. */
const withRetry =
  (lazy: Page): Page =>
  () =>
    loadPart(lazy).catch((error: unknown) => ({
      Component: () => {
        throw error;
      },
    }));

/** A lazy page; on failure PageError replaces it inside its frame. */
const page = (path: string, lazy: Page, children?: RouteObject[]): RouteObject => ({
  path,
  lazy: withRetry(lazy),
  children,
  errorElement: <PageError />,
});

const postList: Page = () => import("../features/editor/page/changelog-layout.tsx");
const changelog: Page = () => import("../pages/changelog-page.tsx");
// One function for new and edit: the editor stays mounted when a new post gets its address.
const editor: Page = async () => {
  const { Component, preloadEditor } = await import("../pages/edit-post-page.tsx");
  preloadEditor(); // otherwise its code would wait for the post
  return { Component };
};
type Settings = Omit<typeof import("../pages/settings-pages.tsx"), "prototype">;
const settings = (path: string, name: keyof Settings): RouteObject =>
  page(path, async () => ({ Component: (await import("../pages/settings-pages.tsx"))[name] }));
const frame = withRetry(() => import("./workspace-layout.tsx"));

/** Folds the sidebar: the page has a left column of its own. */
const rail = "rail";

/** Source: specification, section 2 (route table). */
export const routes: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <PageError />,
    HydrateFallback: PageLoading,
    children: [
      page("/auth", () => import("../pages/auth-page.tsx")),
      page("/auth/single-sign-on", () => import("../pages/single-sign-on-page.tsx")),
      page("/auth/second-step", () => import("../pages/second-step-page.tsx")),
      page("/auth/confirm", () => import("../pages/confirm-page.tsx")),
      page("/auth/undo-email-change", () => import("../pages/undo-change-page.tsx")),
      page("/auth/undo-change", () => import("../pages/undo-change-page.tsx")),
      page("/auth/callback", () => import("../pages/auth-callback-page.tsx")),
      page("/auth/sign-out", () => import("../pages/sign-out-page.tsx")),
      page("/forgot-password", () => import("../pages/forgot-password-page.tsx")),
      page("/join", () => import("../pages/join-page.tsx")),
      page("/reports/:token", () => import("../pages/report-page.tsx")),
      page("/developers", () => import("../pages/api-reference-page.tsx")),
      {
        lazy: withRetry(() => import("./signed-in.tsx")),
        children: [
          { path: "/", loader: tellErrors, element: <Navigate to={paths.workspaces} replace /> },
          page("/auth/new-password", () => import("../pages/new-password-page.tsx")),
          page("/onboarding", () => import("../pages/onboarding-page.tsx")),
          page("/workspaces", () => import("../pages/workspaces-page.tsx")),
          page("/join/complete", () => import("../pages/join-complete-page.tsx")),
          page("/upgrade", () => import("../pages/upgrade-page.tsx")),
          page("/oauth/authorize", () => import("../pages/authorize-page.tsx")),
          page("/settings/access", () => import("../pages/account-access-page.tsx")),
          page("/settings/security", () => import("../pages/security-page.tsx")),
          page("/operator", () => import("../pages/operator-page.tsx")),
          page("/settings", () => import("../pages/profile-settings-page.tsx")),
          page("/workspace/:workspaceId/read", () => import("../pages/read-page.tsx")),
          page("/workspace", () => import("../pages/any-workspace-page.tsx")),
          {
            path: "/workspace/:workspaceId",
            lazy: frame,
            children: [
              { index: true, lazy: withRetry(() => import("../pages/workspace-home-page.tsx")) },
              page("dashboard", () => import("../pages/dashboard-page.tsx")),
              {
                lazy: withRetry(() => import("./analytics-guard.tsx")),
                children: [page("analytics", () => import("../pages/analytics-page.tsx"))],
              },
              page("subscribers", () => import("../pages/subscribers-page.tsx")),
              {
                lazy: withRetry(() => import("./settings-layout.tsx")),
                handle: rail,
                children: [
                  page("widget", () => import("../pages/widget-page.tsx")),
                  page("appearance", () => import("../pages/appearance-page.tsx")),
                  page("team", () => import("../pages/team-page.tsx")),
                  { path: "developers", element: <Navigate to="../settings/api-keys" relative="path" replace /> },
                  page("import", () => import("../pages/import-page.tsx")),
                  page("audit", () => import("../pages/audit-page.tsx")),
                  settings("settings", "General"),
                  settings("settings/approvals", "Approvals"),
                  settings("settings/security", "Security"),
                  settings("settings/tags", "Tags"),
                  settings("settings/templates", "Templates"),
                  settings("settings/access", "Access"),
                  settings("settings/domain", "Domain"),
                  settings("settings/email", "Email"),
                  settings("settings/api-keys", "ApiKeys"),
                  settings("settings/webhooks", "Webhooks"),
                  page("settings/webhooks/:webhookId", () => import("../pages/webhook-page.tsx")),
                  settings("settings/chat", "Chat"),
                  settings("settings/assistants", "Assistants"),
                  settings("settings/export", "Export"),
                  settings("settings/backup", "Backup"),
                  settings("settings/plan", "Plan"),
                  settings("settings/danger", "Danger"),
                ],
              },
              {
                ...page("changelog", postList, [{ index: true, lazy: changelog }, page("new", editor), page("edit/:postId", editor)]),
                handle: rail,
              },
            ],
          },
          {
            path: "/changelog",
            lazy: frame,
            children: [{ lazy: postList, handle: rail, children: [page("new", editor), page("edit/:postId", editor)] }],
          },
        ],
      },
      page("*", () => import("../pages/not-found-page.tsx")),
    ],
  },
];
