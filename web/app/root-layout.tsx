import { Outlet, ScrollRestoration, useNavigation } from "react-router-dom";
import css from "./app.module.css";

/** Adds a progress bar for navigations and scroll restoration. */
export function RootLayout() {
  const { state } = useNavigation();
  return (
    <>
      {state === "loading" && <div className={css.progress} aria-hidden="true" />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
