import { Row } from "../../ui/layout.tsx";
import css from "./scope-list.module.css";

interface ScopeListProps<Scope extends string> {
  scopes: readonly Scope[];
  labels: Readonly<Record<Scope, { label: string; note: string }>>;
}

/** Permissions of a key or an assistant; publishing stands out. */
export function ScopeList<Scope extends string>({ scopes, labels }: ScopeListProps<Scope>) {
  return (
    <Row as="ul" role="list" gap={1} className={css.scopes}>
      {scopes.map((scope) => (
        <li key={scope} className={scope === "posts:publish" ? css.publish : undefined} title={labels[scope].note}>
          {labels[scope].label}
        </li>
      ))}
    </Row>
  );
}
