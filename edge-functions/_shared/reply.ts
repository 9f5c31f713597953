/** What a handler says of its answer beside what is in it. */
export interface Reply {
  headers: Record<string, string>;
  /** In place of the endpoint's status: something was made. */
  status?: 201;
  /** A name of ours for what was asked, which the log says beside the route. */
  tool?: string;
}

/** An answer that is not the endpoint's JSON: a file, or that nothing has changed. */
export class Instead {
  readonly status: 200 | 304;
  readonly body: string | null;
  readonly type: string | undefined;

  constructor(status: 200 | 304, body: string | null, type?: string) {
    this.status = status;
    this.body = body;
    this.type = type;
  }
}

/** The whole answer of an endpoint that speaks a protocol of its own. */
export class Whole {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;

  constructor(status: number, type: string | null, body: string) {
    this.status = status;
    this.type = type;
    this.body = body;
  }
}
