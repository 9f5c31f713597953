import type { ComponentPropsWithRef } from "react";
import { classNames } from "../lib/class-names.ts";
import { Icon } from "./icon.tsx";
import { Input } from "./input.tsx";
import css from "./field.module.css";

interface SearchInputProps extends Omit<ComponentPropsWithRef<"input">, "type" | "aria-label" | "placeholder"> {
  label: string;
}

export function SearchInput({ label, className, ...input }: SearchInputProps) {
  return (
    <div className={classNames(css.search, className)}>
      <Icon name="search" muted />
      <Input {...input} type="search" aria-label={label} placeholder={`${label}...`} />
    </div>
  );
}
