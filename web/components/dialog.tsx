import { Dialog as PrimeDialog } from "primereact/dialog";
import { type ReactNode, useRef } from "react";
import { useExitTransition } from "./exit-transition.ts";
import { useReturnFocus } from "./return-focus.ts";
import { dialogCloseMs } from "./timing.ts";
import css from "./dialog.module.css";

export interface DialogProps {
  open: boolean;
  title: string;
  /** Escape, the cross and the veil. Absent: the dialog must be answered. */
  onClose?: () => void;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** CSS length; 28 to 40 rem as a rule. */
  width?: string;
  /** The content is text alone and may be higher than the window: it takes the focus, so that the keyboard can scroll it. */
  scrolls?: boolean;
  children: ReactNode;
}

/** A modal dialog: traps the focus and gives it back when it goes. Keep it in lazy chunks; it brings PrimeReact's dialog along. */
export function Dialog({ open, title, onClose, footer, width = "28rem", scrolls, children }: DialogProps) {
  const dialog = useRef<PrimeDialog>(null);
  useReturnFocus();
  useExitTransition(dialog);
  return (
    <PrimeDialog
      ref={dialog}
      visible={open}
      header={title}
      footer={footer}
      onHide={onClose ?? noClose}
      closable={onClose !== undefined}
      closeOnEscape={onClose !== undefined}
      dismissableMask={onClose !== undefined}
      draggable={false}
      resizable={false}
      className={css.dialog}
      style={{ width }}
      pt={{ closeButton: { "aria-label": "Close" }, content: scrolls ? { tabIndex: 0 } : {} }}
      transitionOptions={{ timeout: { enter: dialogCloseMs, exit: dialogCloseMs } }}
    >
      {children}
    </PrimeDialog>
  );
}

/** A dialog that comes from below and is as wide as the window, for a thumb. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<PrimeDialog>(null);
  useReturnFocus();
  useExitTransition(dialog);
  return (
    <PrimeDialog
      ref={dialog}
      visible
      position="bottom"
      header={title}
      onHide={onClose}
      dismissableMask
      draggable={false}
      resizable={false}
      className={css.sheet}
      pt={{ closeButton: { "aria-label": "Close" } }}
      transitionOptions={{ timeout: { enter: dialogCloseMs, exit: dialogCloseMs } }}
    >
      {children}
    </PrimeDialog>
  );
}

interface PaletteProps {
  label: string;
  onClose: () => void;
  className?: string;
  contentClassName?: string;
  children: ReactNode;
}

/** A dialog at the top without a head, for one field and what it finds. */
export function Palette({ label, onClose, className, contentClassName, children }: PaletteProps) {
  const dialog = useRef<PrimeDialog>(null);
  useReturnFocus();
  useExitTransition(dialog);
  return (
    <PrimeDialog
      ref={dialog}
      visible
      position="top"
      showHeader={false}
      dismissableMask
      draggable={false}
      resizable={false}
      className={className}
      contentClassName={contentClassName}
      onHide={onClose}
      aria-label={label}
      pt={{ root: { "aria-labelledby": undefined } }}
      transitionOptions={{ timeout: { enter: dialogCloseMs, exit: dialogCloseMs } }}
    >
      {children}
    </PrimeDialog>
  );
}

const noClose = () => undefined;
