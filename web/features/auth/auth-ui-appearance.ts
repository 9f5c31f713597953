import { buttonClass } from "../../ui/button.tsx";
import css from "./auth.module.css";

/** Our classes instead of auth-ui-react's styles. Module constants: a change would reset its forms. */
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
