import { element } from "./element.ts";

type More = typeof import("./more/main.ts");

/** Inserted by release-files.ts. */
const file = "MORE_FILE";
const integrity = "sha256-MORE_SHA256";

let loading: Promise<More> | undefined;

/** Loads the second file. Trusted Types allow import(); the preload checks the hash. Rejects if the page or the browser doesn't allow it. */
export function loadMore(origin: string): Promise<More> {
  const href = origin + file;
  return (loading ??= new Promise<More>((resolve, reject) => {
    const nonce = document.querySelector<HTMLElement>("[nonce]")?.nonce ?? "";
    const link = element("link", { rel: "modulepreload", href, integrity, nonce });
    link.onload = link.onerror = (event) => {
      link.remove();
      if ((event as Event).type === "load") resolve(import(/* @vite-ignore */ href) as Promise<More>);
      else reject();
    };
    document.head.append(link);
    if (!link.relList.supports("modulepreload")) reject();
  }).catch((error: unknown) => {
    loading = undefined; // tried again
    throw error;
  }));
}
