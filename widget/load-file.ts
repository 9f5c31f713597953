import { element } from "./element.ts";

/** Trusted Types allow import(); the preload checks the hash. Rejects if the page or the browser doesn't allow it. */
export function loadFile<Module>(href: string, integrity: string): Promise<Module> {
  return new Promise<Module>((resolve, reject) => {
    const nonce = document.querySelector<HTMLElement>("[nonce]")?.nonce ?? "";
    const link = element("link", { rel: "modulepreload", href, integrity, nonce });
    link.onload = link.onerror = (event) => {
      link.remove();
      if ((event as Event).type === "load") resolve(import(/* @vite-ignore */ href) as Promise<Module>);
      else reject();
    };
    document.head.append(link);
    if (!link.relList.supports("modulepreload")) reject();
  });
}
