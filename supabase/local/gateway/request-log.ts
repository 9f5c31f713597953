import { type Log, tell } from "../logs.ts";

export interface RequestLine {
  id: string;
  method: string;
  /** The line of the routing table, not the path: no names, no tokens, no query. */
  route: string;
  status: number;
  ms: number;
}

/** Writes one JSON line a request to the log, and to stdout as well when asked for. */
export const requestLog = (log: Log, alsoToStdout: boolean) => (line: RequestLine) => {
  const text = JSON.stringify({ level: line.status >= 500 ? "error" : "info", time: new Date().toISOString(), ...line });
  log.write(`${text}\n`);
  if (alsoToStdout) tell(text, "stdout");
};
