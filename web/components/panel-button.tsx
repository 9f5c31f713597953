import { OverlayPanel } from "primereact/overlaypanel";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface PanelButtonProps {
  /** The panel's name. */
  label: string;
  icon: IconName;
  /** Of the panel. */
  className?: string;
  /** What the button says. */
  text: string;
  /** What the panel shows; its first input gets the focus. */
  children: ReactNode;
}

/** A quiet button that opens a panel beside itself, and gets the focus back when the panel closes. */
export function PanelButton({ label, icon, className, text, children }: PanelButtonProps) {
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
        onClick={(event) => panel.current?.toggle(event)}
      >
        {text}
      </Button>
      <OverlayPanel ref={panel} className={className} role="dialog" aria-label={label} onShow={onShow} onHide={onHide}>
        {children}
      </OverlayPanel>
    </>
  );
}
