/** True for Supabase's transaction pooler (by port), where session state doesn't survive a transaction. */
export const usesPooler = (databaseUrl: string): boolean => new URL(databaseUrl).port === "6543";
