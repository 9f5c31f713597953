import { Outlet, ScrollRestoration, useNavigation } from "react-router-dom";
import css from "./root-layout.module.css";

/** Around every page: a thin line while the next page's code is on the way, and the scroll position of back and forward. */
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
