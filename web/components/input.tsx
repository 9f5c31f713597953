import type { ComponentPropsWithRef } from "react";
import { classNames } from "../lib/class-names.ts";

/** An input in PrimeReact's theme. Native: PrimeReact's InputText does the same and brings 10 KB of script (docs/decisions/0010). */
export function Input({ className, ...input }: ComponentPropsWithRef<"input">) {
  return <input {...input} className={classNames("p-inputtext p-component", className)} />;
}
