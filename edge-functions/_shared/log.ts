/** One JSON line per request or event. Never contains personal data, tokens or bodies; `route` is the pattern, not the path. */
export type LogLine =
  | { event: "request"; id: string; method: string; route: string; tool?: string; status: number; ms: number }
  | { event: "fault"; id: string; fault: Fault }
  | { event: string; [field: string]: string | number };

export interface Fault {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: Fault;
}

export type Log = (line: LogLine) => void;

export const log: Log = (line) => console.log(JSON.stringify({ level: levelOf(line), time: new Date().toISOString(), ...line }));

function levelOf(line: LogLine): "info" | "warn" | "error" {
  if (line.event === "fault") return "error";
  if (line.event !== "request") return "warn";
  return Number(line.status) >= 500 ? "error" : "info";
}

/** Omits Postgres' `details`, which contain values. */
export function describeFault(thrown: unknown): Fault {
  if (typeof thrown !== "object" || thrown === null) return { name: typeof thrown, message: String(thrown) };
  const { name, message, code, stack, cause } = thrown as Partial<Record<keyof Fault, unknown>>;
  return {
    name: typeof name === "string" ? name : "Error",
    message: withoutAddresses(String(message ?? "")),
    ...(typeof code === "string" && { code }),
    ...(typeof stack === "string" && { stack: withoutAddresses(stack) }),
    ...(cause !== undefined && { cause: describeFault(cause) }),
  };
}

const withoutAddresses = (text: string) => text.replace(/[^\s"'<>@(]+@[^\s"'<>@)]+/g, "[address]");
