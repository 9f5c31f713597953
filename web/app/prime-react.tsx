import { PrimeReactProvider, type APIOptions } from "primereact/api";
import type { ReactNode } from "react";

/** PrimeReact's settings; stands in the workspace's frame, so that pages before it do not load PrimeReact. */
export function PrimeReact({ children }: { children: ReactNode }) {
  return <PrimeReactProvider value={settings}>{children}</PrimeReactProvider>;
}

/** PrimeReact 10 puts some ARIA where it is not allowed; `pt` takes it off again. */
const settings: APIOptions = {
  ripple: false,
  pt: {
    inputswitch: { root: { role: "presentation", "aria-checked": undefined } },
  },
};
