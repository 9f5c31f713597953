import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Logo } from "../../ui/logo.tsx";
import { BackToWorkspace } from "../workspaces/back-to-workspace.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Masthead, Page } from "../../ui/page.tsx";

/** Layout of signed-in pages outside workspaces; `back` links to the last workspace. */
export function PersonPage({ narrow = false, back = false, children }: { narrow?: boolean; back?: boolean; children: ReactNode }) {
  return (
    <>
      <Masthead>
        <Link to={paths.workspaces} style={{ display: "inline-flex", textDecoration: "none" }}>
          <Logo />
        </Link>
        {back && <BackToWorkspace />}
        <AccountMenu />
      </Masthead>
      <Page width={narrow ? "46rem" : "60rem"}>{children}</Page>
    </>
  );
}
