export class PresenceClient {
  readonly userId: string;
  readonly #token: string;
  readonly #path: string;
  readonly #instances: () => string[];
  #socket: WebSocket | undefined;
  #stays = true;
  #attempts = 0;
  others: string[] = [];
  updates = 0;
  closeCodes: number[] = [];

  constructor(options: { userId: string; token: string; path: string; instances(): string[]; first: number }) {
    this.userId = options.userId;
    this.#token = options.token;
    this.#path = options.path;
    this.#instances = options.instances;
    this.#attempts = options.first;
    this.#connect();
  }

  #connect(): void {
    const instances = this.#instances();
    const address = instances[this.#attempts++ % instances.length]!;
    const socket = new WebSocket(address.replace("http", "ws") + this.#path, ["presence.v1", `jwt.${this.#token}`]);
    this.#socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "join", userId: this.userId, fullName: "x" })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; participants: { userId: string }[] };
      if (message.type !== "presence-update") return;
      this.others = message.participants.map(({ userId }) => userId);
      this.updates += 1;
    });
    socket.addEventListener("error", () => {});
    socket.addEventListener("close", ({ code }) => {
      this.closeCodes.push(code);
      this.others = [];
      if (this.#stays) setTimeout(() => this.#stays && this.#connect(), 3_000);
    });
  }

  giveUp(): void {
    this.#stays = false;
  }

  leave(): void {
    this.#stays = false;
    this.#socket?.close(1000);
  }
}
