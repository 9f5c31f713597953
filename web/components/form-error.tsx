import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import css from "./form-error.module.css";

/** The destructive card above a form that was refused: what happened, in the server's words. Announced at once. */
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

/** In the place of what could not be read, where a section or a dialog begins: why, and once more. */
export function NotRead({ title, message, onRetry }: { title: string; message: string; onRetry(): void }) {
  return (
    <>
      <FormError title={title} message={message} />
      <Button icon="refresh" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}
