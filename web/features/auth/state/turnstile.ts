/** The part of Cloudflare Turnstile's script that is used here. */
export interface Turnstile {
  render(holder: HTMLElement, options: TurnstileOptions): string;
  reset(widgetId: string): void;
  remove(widgetId: string): void;
}

interface TurnstileOptions {
  sitekey: string;
  size: "invisible";
  callback: (token: string) => void;
  "expired-callback": () => void;
  "error-callback": () => void;
}

const address = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";
let loading: Promise<Turnstile> | undefined;

/** Loads the official script once. Rejects when it cannot be loaded; the next caller tries again. */
export function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.async = true;
    script.addEventListener("load", () => {
      const { turnstile } = window as { turnstile?: Turnstile };
      if (turnstile) resolve(turnstile);
      else reject(new Error("The script brought no Turnstile along"));
    });
    script.addEventListener("error", () => reject(new Error(`${address} could not be loaded`)));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
