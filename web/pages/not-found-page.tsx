import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FullPage } from "../ui/page.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

export function Component() {
  usePageTitle("Page not found");
  return (
    <FullPage>
      <EmptyState
        level={1}
        drawing="signpost"
        title="Page not found"
        text="The URL may be mistyped, or the page has moved."
        action={
          <ButtonLink to={paths.workspaces} variant="primary">
            Go to Workspaces
          </ButtonLink>
        }
      />
    </FullPage>
  );
}
