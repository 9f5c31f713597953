/** Whether connections come from Supabase's transaction pooler, known by its port: it gives them to others between two transactions. */
export const usesPooler = (databaseUrl: string): boolean => new URL(databaseUrl).port === "6543";
