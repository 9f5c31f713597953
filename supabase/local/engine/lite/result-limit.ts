import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { resultMaxLength } from "../result-max-length.ts";
import { valueTypes } from "./values.ts";

/** Nobody reads the rest of such a result: Postgres need not make it. */
export class ResultTooLong extends Error {
  readonly code = "54000";

  constructor() {
    super("The result is too long; ask for fewer rows or columns");
  }
}

/** UTF-8 has at most so many bytes for a character. */
const bytesOfCharacter = 4;

/** How much of one connection's results is read, for one request after the other. */
export interface ResultLimit {
  types: typeof valueTypes;
  /** Makes the connection. Postgres sends a row in one piece: one that is far too long is not read to its end, so the connection ends with it. */
  socket(options: { host: string[]; port: number[] }): Promise<Socket>;
  /** Whether the connection has ended because of that. */
  isExceeded(): boolean;
  reset(): void;
}

/**
 * Stops reading a result which is too long: lite would put all of it together in the process that everybody's requests pass through. PostgREST has
 * Postgres do that.
 */
export function limitedResults(most = resultMaxLength): ResultLimit {
  let left = most;
  let bytesLeft = Infinity; // until the first request
  const counted = <Type extends { parse(text: string): unknown }>(type: Type): Type => ({
    ...type,
    parse: (text: string) => {
      left -= text.length;
      if (left < 0) throw new ResultTooLong();
      return type.parse(text);
    },
  });
  return {
    types: { ...valueTypes, json: counted(valueTypes.json), jsonb: counted(valueTypes.jsonb) },
    async socket({ host, port }) {
      const socket = connect(port[0]!, host[0]!);
      await once(socket, "connect");
      socket.on("data", ({ length }) => {
        bytesLeft -= length;
        if (bytesLeft < 0) socket.destroy();
      });
      return socket;
    },
    isExceeded: () => bytesLeft < 0,
    reset: () => {
      left = most;
      bytesLeft = most * bytesOfCharacter;
    },
  };
}
