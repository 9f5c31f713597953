import type { BrowserContext } from "playwright/test";

/**
 * Collects CSP violations of a worker's browser contexts. Chromium logs resources it blocked, but not evaluations a script caught
 * (`Function("return this")`), so each page also gets a listener.
 */
export class PolicyReports {
  readonly #heard: string[] = [];

  async hear(context: BrowserContext): Promise<BrowserContext> {
    context.on("console", (message) => {
      if (ofPolicy.test(message.text())) this.#heard.push(`${message.text()}, at ${message.page()?.url()}`);
    });
    await context.addInitScript(tellReports);
    return context;
  }

  take(): string[] {
    return this.#heard.splice(0);
  }
}

const ofPolicy = /^policy: |Content.Security.Policy/i;

function tellReports(): void {
  const say = console.error.bind(console);
  addEventListener("securitypolicyviolation", ({ isTrusted, violatedDirective, blockedURI, sample }) => {
    if (isTrusted) say(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}
