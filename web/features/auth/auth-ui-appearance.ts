import { buttonClass } from "../../components/button.tsx";
import css from "./auth-ui.module.css";

/** How auth-ui-react's parts look: none of its own styles, our classes instead. Module constants, because a change makes its forms begin afresh. */
const appearance = (variant: "primary" | "secondary") => ({
  extend: false,
  className: {
    button: buttonClass({ variant, wide: true }),
    container: css.container,
    input: "p-inputtext p-component",
    label: css.label,
  },
});

export const formAppearance = appearance("primary");
export const providerAppearance = appearance("secondary");
