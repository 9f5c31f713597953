import { Suspense, useEffect, useId, useRef, useState, type CSSProperties, type ReactNode, type ToggleEvent } from "react";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Button } from "./button.tsx";
import { useOverlayOpen } from "./dialog-queue.ts";
import type { IconName } from "./icon.tsx";
import { lazyPart } from "./lazy-part.tsx";
import type { MenuPlace } from "./menu-choices.tsx";
import { placeBeside } from "./popup-menu.tsx";
import css from "./overlay.module.css";

const Sheet = lazyPart(() => import("./dialog.tsx"), "Sheet");

interface PanelButtonProps {
  label: string;
  icon: IconName;
  text: string;
  children: (close: () => void) => ReactNode;
}

/** Opens a panel beside the button, or a bottom sheet on phones; returns focus on close. */
export function PanelButton({ label, icon, text, children }: PanelButtonProps) {
  const mobile = useIsMobile();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<MenuPlace>();
  const isOpen = place !== undefined;
  useOverlayOpen(isOpen);
  const close = () => (mobile ? setPlace(undefined) : panel.current?.hidePopover());
  useEffect(() => {
    if (!isOpen || mobile) return;
    const hide = () => panel.current?.hidePopover();
    window.addEventListener("resize", hide);
    return () => window.removeEventListener("resize", hide);
  }, [isOpen, mobile]);

  const onToggle = ({ newState }: ToggleEvent) => {
    if (newState === "open") panel.current?.querySelector("input")?.focus({ preventScroll: true });
    if (newState === "closed") setPlace(undefined);
  };

  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={icon}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popoverTarget={mobile ? undefined : id}
        onClick={({ currentTarget }) => setPlace(isOpen ? undefined : placeBeside(currentTarget))}
      >
        {text}
      </Button>
      {mobile ? (
        isOpen && (
          <Suspense>
            <Sheet title={label} onClose={close}>
              {children(close)}
            </Sheet>
          </Suspense>
        )
      ) : (
        <div
          ref={panel}
          popover="auto"
          id={id}
          role={isOpen ? "dialog" : undefined}
          aria-label={isOpen ? label : undefined}
          className={css.panel}
          style={styleAt(place)}
          onToggle={onToggle}
        >
          {isOpen && children(close)}
        </div>
      )}
    </>
  );
}

const edge = 8; // px kept free at the window's edge

const styleAt = (place: MenuPlace | undefined) =>
  place && ({ ...place, "--panel-room": `calc(100dvh - ${(place.top ?? place.bottom ?? 0) + edge}px)` } as CSSProperties);
