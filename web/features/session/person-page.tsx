import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import { Logo } from "../../components/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import css from "./person-page.module.css";

/** A signed-in page that belongs to no workspace: our name, the account, the page. */
export function PersonPage({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <>
      <header className={css.masthead}>
        <Link to={paths.workspaces} className={css.logo}>
          <Logo />
        </Link>
        <AccountMenu />
      </header>
      <main className={narrow ? css.narrow : css.page}>{children}</main>
    </>
  );
}
