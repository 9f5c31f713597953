import type { ComponentPropsWithRef } from "react";
import { classNames } from "../lib/class-names.ts";

/** Native: PrimeReact's InputText does the same with 10 KB of script (docs/decisions/0010). */
export function Input({ className, ...input }: ComponentPropsWithRef<"input">) {
  return <input {...input} className={classNames("p-inputtext p-component", className)} />;
}
