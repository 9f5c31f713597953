import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { SWRConfig } from "swr";
import { Providers } from "../../../web/app/providers.tsx";
import { routes } from "../../../web/app/routes.tsx";
import { useClearableCache } from "../../../web/lib/use-clearable-cache.ts";

function Cache() {
  useClearableCache();
  return null;
}

export function renderApp(at: string) {
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const user = userEvent.setup();
  const view = render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Cache />
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </SWRConfig>,
  );
  const address = () => `${router.state.location.pathname}${router.state.location.search}`;
  return { ...view, user, router, address };
}
