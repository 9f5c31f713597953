/** Supabase's Auth, REST and Storage as one function from request to answer, whoever provides them. */
export interface SupabaseServices {
  /** `peerAddress` is the client's. */
  fetch(request: Request, peerAddress: string): Promise<Response>;
  /** How many database connections have ended under a request. */
  lostConnections(): number;
}
