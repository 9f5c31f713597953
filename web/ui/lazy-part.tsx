import { Component, createElement, lazy, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { useLatest } from "../lib/use-latest.ts";
import { loadPart } from "../lib/load-part.ts";
import { Button } from "./button.tsx";
import { Panel, Row } from "./layout.tsx";
import css from "./notice.module.css";

interface Options<Props> {
  inPlace?: boolean;
  fallback?: (props: Props) => ReactNode;
}

export type LazyPart<Props> = ComponentType<Props> & {
  /** Prefetches the chunk; failures are retried when it renders. */
  preload(): void;
};

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component in its own chunk; needs a Suspense. Failed loads are retried, also when back online, and leave the page in place. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  { inPlace = false, fallback }: Options<PropsOf<Module[Name]>> = {},
): LazyPart<PropsOf<Module[Name]>> {
  const create = () =>
    lazy(async () => {
      try {
        return { default: (await loadPart(load))[name] as ComponentType<object> };
      } catch (cause) {
        throw new MissingPart(cause);
      }
    });
  let part = create();
  const preload = () => void loadPart(load).catch(() => {});

  return Object.assign(Part as ComponentType<PropsOf<Module[Name]>>, { preload });

  function Part(props: object) {
    const [tries, setTries] = useState(0);
    const { onClose } = props as { onClose?: unknown };
    const current = part;
    const recreate = () => {
      if (part === current) part = create(); // for every place that renders it
    };
    const retry = () => {
      recreate();
      setTries(tries + 1);
    };
    const missing = fallback ? (
      fallback(props as PropsOf<Module[Name]>)
    ) : (
      <Missing inPlace={inPlace} onRetry={retry} onClose={typeof onClose === "function" ? () => void onClose() : null} />
    );
    return (
      <PartBoundary key={tries} missing={missing} onUnmount={recreate}>
        {createElement(current, props)}
      </PartBoundary>
    );
  }
}

class MissingPart extends Error {
  constructor(cause: unknown) {
    super("Couldn't load a part of the page.", { cause });
  }
}

interface BoundaryProps {
  missing: ReactNode;
  onUnmount(): void;
  children: ReactNode;
}

/** Catches loading failures; other errors pass on to the page. */
class PartBoundary extends Component<BoundaryProps, { failure: unknown }> {
  override state = { failure: null as unknown };
  static getDerivedStateFromError = (failure: unknown) => ({ failure });
  override componentWillUnmount() {
    if (this.state.failure !== null) this.props.onUnmount();
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
    const retryNow = () => retry.current();
    window.addEventListener("online", retryNow);
    return () => window.removeEventListener("online", retryNow);
  }, [retry]);
  return (
    <Panel role="alert" padding={3} className={inPlace ? undefined : css.missing}>
      <Row justify="between">
        <p style={{ flex: "1 1 16rem" }}>
          <strong>This didn't load.</strong> Your connection was interrupted, or a new version was just released. What you wrote is safe.
        </p>
        <Row>
          {onClose && (
            <Button variant="quiet" size="small" onClick={onClose}>
              Close
            </Button>
          )}
          <Button size="small" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </Row>
      </Row>
    </Panel>
  );
}
