import { Dialog as PrimeDialog, type DialogProps as DialogOptions } from "primereact/dialog";
import { type ReactNode, useRef } from "react";
import { useExitTransition } from "./exit-transition.ts";
import { useReturnFocus } from "./return-focus.ts";
import { dialogCloseMs } from "./timing.ts";
import css from "./overlay.module.css";

export interface DialogProps {
  open: boolean;
  title: string;
  /** Called by Escape, the close button and, without a form, the backdrop. Without it the dialog needs an answer. */
  onClose?: () => void;
  footer?: ReactNode;
  /** CSS length, usually 28 to 40 rem. */
  width?: string;
  /** True if it has a form: a click beside the dialog must not lose what was typed. */
  hasForm?: boolean;
  /** Text only, possibly higher than the window: content is focusable so that the keyboard can scroll. */
  scrolls?: boolean;
  children: ReactNode;
}

/** Modal dialog with focus trap and focus return. Load it lazily: it includes PrimeReact's dialog. */
export function Dialog({ open, title, onClose, footer, width = "28rem", hasForm = false, scrolls, children }: DialogProps) {
  return (
    <Modal
      visible={open}
      header={title}
      footer={footer}
      onHide={onClose ?? noClose}
      closable={onClose !== undefined}
      closeOnEscape={onClose !== undefined}
      dismissableMask={onClose !== undefined && !hasForm}
      className={css.dialog}
      style={{ width }}
      pt={{ closeButton: { "aria-label": "Close" }, content: scrolls ? { tabIndex: 0 } : {} }}
    >
      {children}
    </Modal>
  );
}

export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal position="bottom" header={title} onHide={onClose} className={css.sheet} pt={{ closeButton: { "aria-label": "Close" } }}>
      {children}
    </Modal>
  );
}

interface PaletteProps {
  label: string;
  onClose: () => void;
  className?: string;
  contentClassName?: string;
  children: ReactNode;
}

export function Palette({ label, onClose, ...dialog }: PaletteProps) {
  return (
    <Modal
      {...dialog}
      position="top"
      showHeader={false}
      onHide={onClose}
      aria-label={label}
      pt={{ root: { "aria-labelledby": undefined } }}
    />
  );
}

function Modal(props: DialogOptions) {
  const dialog = useRef<PrimeDialog>(null);
  useReturnFocus();
  useExitTransition(dialog);
  return (
    <PrimeDialog
      ref={dialog}
      visible
      onShow={leaveCloseButton}
      dismissableMask
      draggable={false}
      resizable={false}
      transitionOptions={{ timeout: { enter: dialogCloseMs, exit: dialogCloseMs } }}
      {...props}
    />
  );
}

const noClose = () => undefined;

/** PrimeReact focuses the close button if nothing asks for the focus. Touch screens keep it: a field would open the keyboard. */
function leaveCloseButton(): void {
  const dialog = document.activeElement?.closest(".p-dialog");
  const isReading = dialog?.querySelector(".p-dialog-content[tabindex]");
  if (!document.activeElement?.matches(".p-dialog-header-close") || isReading || !matchMedia("(pointer: fine)").matches) return;
  dialog?.querySelector<HTMLElement>(".p-dialog-content :is(input, select, textarea):not(:disabled), .p-dialog-footer button")?.focus();
}
