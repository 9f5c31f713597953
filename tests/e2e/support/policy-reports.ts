import type { BrowserContext } from "playwright/test";

/**
 * What the pages of a worker's browser contexts report of their Content Security Policy. Chromium itself writes a line of what it did not load, but
 * none of what a script tried and went on without (`Function("return this")`): for that each page has a listener, where it may run one.
 */
export class PolicyReports {
  readonly #heard: string[] = [];

  /** From now on the context's pages are heard, whoever opens them: it is asked once, when it is new, not for each page. */
  async hear(context: BrowserContext): Promise<BrowserContext> {
    context.on("console", (message) => {
      if (ofPolicy.test(message.text())) this.#heard.push(`${message.text()}, at ${message.page()?.url()}`);
    });
    await context.addInitScript(tellReports);
    return context;
  }

  /** Those since the last look. */
  take(): string[] {
    return this.#heard.splice(0);
  }
}

const ofPolicy = /^policy: |Content.Security.Policy/i;

function tellReports(): void {
  const say = console.error.bind(console); // whatever the page makes of it
  addEventListener("securitypolicyviolation", ({ isTrusted, violatedDirective, blockedURI, sample }) => {
    if (isTrusted) say(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}
