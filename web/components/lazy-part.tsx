import { Component, createElement, lazy, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { useLatest } from "../lib/use-latest.ts";
import { loadPart } from "../lib/load-part.ts";
import { classNames } from "../lib/class-names.ts";
import { Button } from "./button.tsx";
import css from "./lazy-part.module.css";

interface Options<Props> {
  /** It stands in the page; else it would have covered the page, and what is said about it stands at the window's bottom. */
  inPlace?: boolean;
  /** What is shown where nothing has to be said. */
  instead?: (props: Props) => ReactNode;
}

export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the chunk before it is shown; what does not arrive now is asked for again then. */
  preload(): void;
};

/**
 * A component in a chunk of its own; stands in a Suspense. What does not arrive is asked for again, by itself and when the connection is back,
 * and says so: the page around it stays. `pick` finds it in its module.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
  { inPlace = false, instead }: Options<Props> = {},
): LazyPart<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: pick(await loadPart(load)) };
      } catch (cause) {
        throw new MissingPart(cause);
      }
    });
  let part = begin();
  const preload = () => void loadPart(load).catch(() => {});

  return Object.assign(Part, { preload });

  function Part(props: Props) {
    const [tries, setTries] = useState(0);
    const { onClose } = props as { onClose?: unknown };
    const tried = part;
    const again = () => {
      if (part === tried) part = begin(); // also for whoever asks for it elsewhere
    };
    const retry = () => {
      again();
      setTries(tries + 1);
    };
    const missing = instead ? (
      instead(props)
    ) : (
      <Missing inPlace={inPlace} onRetry={retry} onClose={typeof onClose === "function" ? () => void onClose() : null} />
    );
    return (
      <PartBoundary key={tries} missing={missing} onGone={again}>
        {createElement<Props>(tried, props)}
      </PartBoundary>
    );
  }
}

class MissingPart extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be loaded.", { cause });
  }
}

interface BoundaryProps {
  missing: ReactNode;
  /** The message has gone. */
  onGone(): void;
  children: ReactNode;
}

/** Takes the place of a part that did not arrive; a part that arrived and failed is its page's fault. */
class PartBoundary extends Component<BoundaryProps, { failure: unknown }> {
  override state = { failure: null as unknown };
  static getDerivedStateFromError = (failure: unknown) => ({ failure });
  override componentWillUnmount() {
    if (this.state.failure !== null) this.props.onGone();
  }
  override render() {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    if (!(failure instanceof MissingPart)) throw failure;
    return this.props.missing;
  }
}

function Missing({ inPlace, onRetry, onClose }: { inPlace: boolean; onRetry: () => void; onClose: (() => void) | null }) {
  const retry = useLatest(onRetry);
  useEffect(() => {
    const again = () => retry.current();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [retry]);
  return (
    <div role="alert" className={classNames(css.missing, !inPlace && css.floating)}>
      <p>
        <strong>This could not be loaded.</strong> The connection was interrupted, or a new version was just installed. What you wrote is
        safe.
      </p>
      <div className={css.actions}>
        {onClose && (
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        )}
        <Button size="small" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}
