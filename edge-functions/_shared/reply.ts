export interface Reply {
  headers: Record<string, string>;
  status?: 201;
  tool?: string;
}

export class OverrideResponse {
  readonly status: 200 | 304;
  readonly body: string | null;
  readonly type: string | undefined;

  constructor(status: 200 | 304, body: string | null, type?: string) {
    this.status = status;
    this.body = body;
    this.type = type;
  }
}

export class RawResponse {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;

  constructor(status: number, type: string | null, body: string) {
    this.status = status;
    this.type = type;
    this.body = body;
  }
}
