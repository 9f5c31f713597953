import type { BrowserContext } from "playwright/test";
import { expect, type Page } from "./test.ts";

export interface Trap {
  expectUntouched(page: Page, where: string): Promise<void>;
}

export async function setTrap(context: BrowserContext, texts = "main, nav, [role=dialog]"): Promise<Trap> {
  const caught: string[] = [];
  await context.addInitScript(() => {
    for (const name of ["alert", "confirm", "prompt", "msgbox"]) {
      Object.assign(window, { [name]: (...words: unknown[]) => void Object.assign(window, { __xss: `${name}(${words.join()})` }) });
    }
  });
  context.on("dialog", (dialog) => {
    if (dialog.type() === "beforeunload") return void dialog.accept();
    caught.push(`dialog: ${dialog.message()}`);
    return void dialog.dismiss();
  });
  context.on("request", (request) => /evil\.example/.test(request.url()) && caught.push(`request: ${request.url()}`));
  return {
    expectUntouched: async (page, where) => {
      const address = page.url();
      await page.evaluate(touchEverything, texts);
      const found = await page.evaluate(lookAround, texts);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      const sprung = await page.evaluate(() => (window as unknown as { __xss?: unknown }).__xss);
      expect({ where, sprung, caught, found, address: page.url() }).toEqual({ where, sprung: undefined, caught: [], found: [], address });
    },
  };
}

function touchEverything(texts: string) {
  const kinds = ["mouseover", "mouseenter", "mousemove", "pointerenter", "focus", "animationstart", "animationend", "transitionend"];
  const more = ["toggle", "error", "load", "wheel", "scroll", "contextmenu", "begin", "beforetoggle", "securitypolicyviolation"];
  for (const element of document.querySelectorAll(`:is(${texts}) *`)) {
    if (element.matches("img, .ce-toolbar, .ce-toolbar *")) continue;
    for (const kind of [...kinds, ...more]) element.dispatchEvent(new Event(kind));
  }
}

function lookAround(texts: string): string[] {
  const all = [...document.querySelectorAll(`:is(${texts}) *`)];
  const handlers = all.filter((element) =>
    [...element.attributes].some(
      ({ name, value }) =>
        name.startsWith("on") ||
        name === "srcdoc" ||
        (/^(?:href|src|action|formaction|xlink:href|data|ping|poster)$/.test(name) &&
          /^[\s\u0000-\u0020]*(?:javascript|vbscript|data:text)/i.test(value)),
    ),
  );
  const strangers = all.filter((element) =>
    element.matches(
      "script, iframe, object, embed, applet, base, meta, link, frame, frameset, portal, math, video, audio, marquee, template, foreignObject, animate, set",
    ),
  );
  return [...handlers, ...strangers].map((element) => element.outerHTML.slice(0, 200));
}
