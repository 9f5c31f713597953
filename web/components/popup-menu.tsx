import { useId, useRef, useState, type ReactNode } from "react";
import { MenuChoices, type MenuChoice, type MenuPlace } from "./menu-choices.tsx";

export type { MenuChoice };

interface PopupMenuProps {
  /** What the button is for, when its content does not say it. */
  label?: string;
  /** Heading above the choices; also the menu's name, which is otherwise the button's label. */
  heading?: string;
  choices: readonly MenuChoice[];
  className?: string;
  /** The button's content. */
  children: ReactNode;
}

const gap = 4; // px

/** A button that opens a menu beside itself, and gets the focus back when the menu closes. */
export function PopupMenu({ label, heading, choices, className, children }: PopupMenuProps) {
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

/** Under the button, above one in the lower half of the window; on the side of the window where there is more room. */
function placeBeside(button: HTMLElement | null): MenuPlace | undefined {
  const box = button?.getBoundingClientRect();
  if (!box) return undefined;
  const { clientWidth, clientHeight } = document.documentElement;
  return {
    ...(box.bottom < clientHeight / 2 ? { top: box.bottom + gap } : { bottom: clientHeight - box.top + gap }),
    ...(box.left + box.width / 2 < clientWidth / 2 ? { left: box.left } : { right: clientWidth - box.right }),
    minWidth: box.width,
  };
}
