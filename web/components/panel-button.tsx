import { OverlayPanel } from "primereact/overlaypanel";
import { useRef, useState, type ReactNode } from "react";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Button } from "./button.tsx";
import { Sheet } from "./dialog.tsx";
import type { IconName } from "./icon.tsx";

interface PanelButtonProps {
  /** The panel's name. */
  label: string;
  icon: IconName;
  /** Of the panel. */
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
        onClick={(event) => (mobile ? setOpen(true) : panel.current?.toggle(event))}
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
        <OverlayPanel ref={panel} className={className} role="dialog" aria-label={label} onShow={onShow} onHide={onHide}>
          {children(() => panel.current?.hide())}
        </OverlayPanel>
      )}
    </>
  );
}
