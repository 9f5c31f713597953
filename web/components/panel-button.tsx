import { OverlayPanel } from "primereact/overlaypanel";
import { useRef, useState, type CSSProperties, type ReactNode } from "react";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Button } from "./button.tsx";
import { useCovers } from "./covering.ts";
import { Sheet } from "./dialog.tsx";
import type { IconName } from "./icon.tsx";
import css from "./panel-button.module.css";

interface PanelButtonProps {
  /** The panel's name. */
  label: string;
  icon: IconName;
  /** Of the panel, which is at most `--panel-room` high. */
  className?: string;
  /** What the button says. */
  text: string;
  /** What the panel shows; its first input gets the focus. `close` is for what leads elsewhere. */
  children: (close: () => void) => ReactNode;
}

/** A quiet button that opens a panel beside itself, on a phone a sheet from below, and gets the focus back when that closes. */
export function PanelButton({ label, icon, className, text, children }: PanelButtonProps) {
  const mobile = useIsMobile();
  const panel = useRef<OverlayPanel>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [room, setRoom] = useState<number>();
  useCovers(open);

  const onShow = () => {
    setOpen(true);
    const shown = panel.current?.getElement(); // after its fade: somebody may be typing in it already
    if (!shown?.contains(document.activeElement)) shown?.querySelector("input")?.focus({ preventScroll: true });
  };
  const onHide = () => {
    setOpen(false);
    const { activeElement } = document;
    if (activeElement === document.body || panel.current?.getElement()?.contains(activeElement)) button.current?.focus();
  };

  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        size="small"
        icon={icon}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={(event) => {
          if (mobile) return setOpen(true);
          setRoom(roomBeside(event.currentTarget));
          panel.current?.toggle(event);
        }}
      >
        {text}
      </Button>
      {mobile ? (
        open && (
          <Sheet title={label} onClose={() => setOpen(false)}>
            {children(() => setOpen(false))}
          </Sheet>
        )
      ) : (
        <OverlayPanel
          ref={panel}
          className={className}
          style={{ "--panel-room": `${room}px` } as CSSProperties}
          pt={{ content: { className: css.content } }}
          role="dialog"
          aria-label={label}
          onShow={onShow}
          onHide={onHide}
        >
          {children(() => panel.current?.hide())}
        </OverlayPanel>
      )}
    </>
  );
}

const gap = 16; // px that PrimeReact leaves to the button, and some to the window's edge

/** How high a panel can be under the button or above it: PrimeReact lays what is higher than both over the button. */
function roomBeside(button: HTMLElement): number {
  const { top, bottom } = button.getBoundingClientRect();
  return Math.max(top, document.documentElement.clientHeight - bottom) - gap;
}
