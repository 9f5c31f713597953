import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Logo } from "../../ui/logo.tsx";
import { BackToWorkspace } from "../workspaces/back-to-workspace.tsx";
import { AccountMenu } from "./account-menu.tsx";
import css from "./person-page.module.css";
/** Layout of signed-in pages outside workspaces; `back` links to the last workspace. */
/** A signed-in page that belongs to no workspace: our name, the account, the page; with `back` the way into the last workspace. */
export function PersonPage({ narrow = false, back = false, children }: { narrow?: boolean; back?: boolean; children: ReactNode }) {
  return (
    <>
      <header className={css.masthead}>
        <Link to={paths.workspaces} className={css.logo}>
          <Logo />
        </Link>
        {back && <BackToWorkspace />}
        <AccountMenu />
      </header>
      <main className={narrow ? css.narrow : css.page}>{children}</main>
    </>
  );
}
