export interface SupabaseServices {
  /** `peerAddress` is the client's. */
  fetch(request: Request, peerAddress: string): Promise<Response>;
  /** Number of connections lost during requests. */
  lostConnections(): number;
}
