import type { toast } from "sonner";
import { toastActionMs, toastErrorMs, toastMs, toastSuccessMs } from "./timings.ts";
import { createListeners } from "./listeners.ts";

/** What a message offers to do, e.g. to take back what was done. */
export interface ToastAction {
  label: string;
  onClick: () => void;
}

/** Short messages at the bottom right: errors and warnings stay 5 s, successes 3 s, the rest 4 s, those with a button 10 s. Source: specification, section 9. */
export const toasts = {
  error: (title: string, description?: string) => show((toast) => toast.error(title, { description, duration: toastErrorMs })),
  success: (title: string, description?: string, action?: ToastAction) =>
    show((toast) => offer(toast, toast.success, title, { description, duration: toastSuccessMs }, action)),
  /** Done, but not as one would expect. */
  warning: (title: string, description?: string) => show((toast) => toast.warning(title, { description, duration: toastErrorMs })),
  info: (title: string, description?: string, action?: ToastAction) =>
    show((toast) => offer(toast, toast, title, { description, duration: toastMs }, action)),
};

type Toast = typeof toast;

/** With something to press it stays longer, and goes when that is pressed. */
function offer(
  toast: Toast,
  say: Toast | Toast["success"],
  title: string,
  options: { description: string | undefined; duration: number },
  action?: ToastAction,
): void {
  if (!action) return void say(title, options);
  const onClick = () => {
    toast.dismiss(id);
    action.onClick();
  };
  const id = say(title, { ...options, duration: toastActionMs, action: { label: action.label, onClick } });
}

// sonner is loaded with the first message, so that no page waits for it; until it stands, messages wait here.
let standing: Toast | undefined;
let wanted = false;
const waiting: ((toast: Toast) => void)[] = [];
const changes = createListeners();

function show(message: (toast: Toast) => void): void {
  if (standing) return message(standing);
  waiting.push(message);
  want(true);
}

function want(value: boolean): void {
  wanted = value;
  changes.tell();
}

/** The toaster could not be loaded: what waited is of a moment that is over, and the next message tries again. */
export function toasterMissed(): void {
  waiting.length = 0;
  want(false);
}

/** The toaster calls this when it stands; what it gets back takes it away again. */
export function toasterStands(toast: Toast): () => void {
  standing = toast;
  waiting.splice(0).forEach((message) => message(toast));
  return () => {
    standing = undefined;
  };
}

/** For useSyncExternalStore: whether there was a message yet. */
export const toasterWanted = {
  get: () => wanted,
  subscribe: changes.listen,
};
