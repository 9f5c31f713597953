import { type Log, tell } from "../logs.ts";

export interface RequestLine {
  id: string;
  method: string;
  /** The route's pattern, not the path: no names, tokens or query. */
  route: string;
  status: number;
  ms: number;
}

export const requestLog = (log: Log, alsoToStdout: boolean) => (line: RequestLine) => {
  const text = JSON.stringify({ level: line.status >= 500 ? "error" : "info", time: new Date().toISOString(), ...line });
  log.write(`${text}\n`);
  if (alsoToStdout) tell(text, "stdout");
};
