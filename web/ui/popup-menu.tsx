import { useId, useRef, useState, type ReactNode } from "react";
import buttonCss from "./button.module.css";
import { MenuChoices, type MenuChoice, type MenuPlace } from "./menu-choices.tsx";

export type { MenuChoice };

interface PopupMenuProps {
  label?: string;
  heading?: string;
  choices: readonly MenuChoice[];
  /** Instead of the look of an icon button. */
  className?: string;
  children: ReactNode;
}

const gap = 4; // px

export function PopupMenu({ label, heading, choices, className = buttonCss.icon, children }: PopupMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<MenuPlace>();

  const open = () => setPlace(placeBeside(button.current));
  function close(giveFocusBack: boolean) {
    setPlace(undefined);
    if (giveFocusBack) button.current?.focus();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        aria-controls={place && id}
        onClick={() => (place ? close(false) : open())}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open();
        }}
      >
        {children}
      </button>
      {place && (
        <MenuChoices
          id={id}
          name={heading ?? label}
          heading={heading}
          place={place}
          choices={choices}
          opener={button.current}
          onClose={close}
        />
      )}
    </>
  );
}

/** Below the button, or above it in the lower half; aligned to the side with more space. */
export function placeBeside(button: HTMLElement | null): MenuPlace | undefined {
  const box = button?.getBoundingClientRect();
  if (!box) return undefined;
  const { clientWidth, clientHeight } = document.documentElement;
  return {
    ...(box.bottom < clientHeight / 2 ? { top: box.bottom + gap } : { bottom: clientHeight - box.top + gap }),
    ...(box.left + box.width / 2 < clientWidth / 2 ? { left: box.left } : { right: clientWidth - box.right }),
    minWidth: box.width,
  };
}
