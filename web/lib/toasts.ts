import type { toast } from "sonner";
import { toastActionMs, toastErrorMs, toastMs, toastSuccessMs } from "./timings.ts";
import { ApiError, sentenceOf } from "./api-client.ts";
import { createListeners } from "./listeners.ts";

export interface ToastAction {
  label: string;
  onClick: () => void;
}

/** Durations: errors and warnings 5 s, successes 3 s, others 4 s, with a button 10 s. Source: specification, section 9. */
export const toasts = {
  error: (title: string, description?: string) => show((toast) => toast.error(title, { description, duration: toastErrorMs })),
  /** An error toast with the reason of a failed call; none at the end of a session, which has its own dialog. */
  failure(title: string, error: unknown, otherwise?: string) {
    if (!(error instanceof ApiError && error.code === "unauthenticated")) toasts.error(title, sentenceOf(error, otherwise));
  },
  success: (title: string, description?: string, action?: ToastAction) =>
    show((toast) => showToast(toast, toast.success, title, { description, duration: toastSuccessMs }, action)),
  warning: (title: string, description?: string) => show((toast) => toast.warning(title, { description, duration: toastErrorMs })),
  info: (title: string, description?: string, action?: ToastAction) =>
    show((toast) => showToast(toast, toast, title, { description, duration: toastMs }, action)),
};

type Toast = typeof toast;

/** With a button it stays longer and closes on click. */
function showToast(
  toast: Toast,
  create: Toast | Toast["success"],
  title: string,
  options: { description: string | undefined; duration: number },
  action?: ToastAction,
): void {
  if (!action) return void create(title, options);
  const onClick = () => {
    toast.dismiss(id);
    action.onClick();
  };
  const id = create(title, { ...options, duration: toastActionMs, action: { label: action.label, onClick } });
}

// Queue: sonner loads with the first toast, which waits here.
let loadedToast: Toast | undefined;
let isRequested = false;
const queue: ((toast: Toast) => void)[] = [];
const changes = createListeners();

function show(message: (toast: Toast) => void): void {
  if (loadedToast) return message(loadedToast);
  queue.push(message);
  setRequested(true);
}

function setRequested(value: boolean): void {
  isRequested = value;
  changes.notify();
}

/** Drops queued toasts after a failed load; the next toast retries. */
export function toasterFailed(): void {
  queue.length = 0;
  setRequested(false);
}

/** Called by the mounted toaster; returns the cleanup. */
export function toasterMounted(toast: Toast): () => void {
  loadedToast = toast;
  queue.splice(0).forEach((message) => message(toast));
  return () => {
    loadedToast = undefined;
  };
}

export const toasterRequested = {
  get: () => isRequested,
  subscribe: changes.listen,
};
