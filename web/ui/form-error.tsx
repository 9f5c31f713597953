import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import css from "./form-error.module.css";

/** Announced error card above a form. */
export function FormError({ title = "Oops, something's wrong!", message }: { title?: string; message: string }) {
  return (
    <div className={css.card} role="alert">
      <Icon name="exclamation-triangle" className={css.icon} />
      <div>
        <p className={css.title}>{title}</p>
        <p>{message}</p>
      </div>
    </div>
  );
}

/** Error with retry in place of a section's content. */
export function LoadError({ title, message, onRetry }: { title: string; message: string; onRetry(): void }) {
  return (
    <>
      <FormError title={title} message={message} />
      <Button icon="refresh" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}
