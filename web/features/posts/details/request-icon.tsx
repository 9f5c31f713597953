import type { RequestKind } from "#contract/rules/request-kind.ts";
import { Icon } from "../../../ui/icon.tsx";

/** Simplified marks of the services; GitHub's is in PrimeIcons. */
export const RequestIcon = ({ kind }: { kind: RequestKind }) =>
  kind === "github" ? (
    <Icon name="github" />
  ) : (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      {kind === "linear" ? (
        <path d="M8 1.5a6.5 6.5 0 1 1-6.5 6.5M1.5 8l6.5 6.5M2.5 4.5l9 9M4.5 2.5l9 9" />
      ) : (
        <path d="M8 1.5l6.5 6.5l-6.5 6.5l-6.5-6.5zM8 5.5l2.5 2.5l-2.5 2.5l-2.5-2.5z" />
      )}
    </svg>
  );
