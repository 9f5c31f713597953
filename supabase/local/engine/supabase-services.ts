export interface SupabaseServices {
  fetch(request: Request, peerAddress: string): Promise<Response>;
  lostConnections(): number;
}
