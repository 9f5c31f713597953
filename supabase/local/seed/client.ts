interface CaughtMail {
  to: string;
  links: string[];
}

export class DemoClient {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  async signUpAndIn(account: { email: string; password: string; fullName: string }): Promise<void> {
    await this.post("/api/auth/signup", { ...account, companyName: "Tidings" });
    const link = await this.#confirmationLink(account.email);
    await this.post("/api/auth/verify", { token_hash: link.searchParams.get("token_hash"), type: "signup" });
  }

  post<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#send<Answer>("POST", path, JSON.stringify(body), { "content-type": "application/json" });
  }

  put<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#send<Answer>("PUT", path, JSON.stringify(body), { "content-type": "application/json" });
  }

  upload<Answer>(path: string, file: File): Promise<Answer> {
    const form = new FormData();
    form.set("image", file);
    return this.#send<Answer>("POST", path, form, {});
  }

  async #send<Answer>(method: string, path: string, body: BodyInit, headers: Record<string, string>): Promise<Answer> {
    const answer = await fetch(this.#url + path, {
      method,
      body,
      headers: { ...headers, origin: this.#url, cookie: this.#cookieHeader() },
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    if (!answer.ok) throw new Error(`Couldn't create the demo: ${method} ${path} answered ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async #confirmationLink(email: string): Promise<URL> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const mails = (await (await fetch(`${this.#url}/dev/mail.json`)).json()) as CaughtMail[];
      const link = mails.find((mail) => mail.to === email)?.links.find((address) => address.includes("token_hash="));
      if (link) return new URL(link);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("Couldn't create the demo: the confirmation email didn't arrive.");
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}
