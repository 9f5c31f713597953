import { useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { afterSignIn } from "../features/auth/after-sign-in.ts";
import { CodeForm } from "../features/second-factor/code-form.tsx";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";

/** Second step of a sign-in; the query says where to continue, as on the sign-in page. */
export function Component() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  async function enter(workspaceId: string | null) {
    await clearCachedReads();
    await navigate(afterSignIn(query, workspaceId, location.origin) ?? paths.workspaces, { replace: true });
  }
  return (
    <NarrowPage title="Two-factor authentication">
      <CodeForm
        onSignedIn={(workspaceId) => void enter(workspaceId)}
        onSessionEnded={() => void navigate(`${paths.auth()}?${query}`, { replace: true })}
      />
      <ButtonLink to={paths.auth({ type: "signin" })} variant="quiet" wide>
        Use another account
      </ButtonLink>
    </NarrowPage>
  );
}
