import { OverlayPanel } from "primereact/overlaypanel";
import { useRef, useState, type CSSProperties, type ReactNode } from "react";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Button } from "./button.tsx";
import { useOverlayOpen } from "./dialog-queue.ts";
import { Sheet } from "./dialog.tsx";
import type { IconName } from "./icon.tsx";
import css from "./overlay.module.css";

interface PanelButtonProps {
  label: string;
  icon: IconName;
  text: string;
  children: (close: () => void) => ReactNode;
}

/** Opens a panel beside the button, or a bottom sheet on phones; returns focus on close. */
export function PanelButton({ label, icon, text, children }: PanelButtonProps) {
  const mobile = useIsMobile();
  const panel = useRef<OverlayPanel>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [room, setRoom] = useState<number>();
  useOverlayOpen(open);

  const onShow = () => {
    setOpen(true);
    const shown = panel.current?.getElement(); // after its fade: the user may be typing already
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
          style={{ "--panel-room": `${room}px` } as CSSProperties}
          pt={{ content: { className: css.panelContent } }}
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

const gap = 16; // px PrimeReact leaves between panel and button, plus a margin

/** Larger space above or below: PrimeReact would overlap the button with a higher panel. */
function roomBeside(button: HTMLElement): number {
  const { top, bottom } = button.getBoundingClientRect();
  return Math.max(top, document.documentElement.clientHeight - bottom) - gap;
}
