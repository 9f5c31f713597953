import postgres from "postgres";

export async function outcome(statement: PromiseLike<unknown>): Promise<string> {
  try {
    await statement;
    return "allowed";
  } catch (error) {
    return refusal(error).code;
  }
}

function refusal(error: unknown): { code: string; detail: unknown; message: string } {
  if (!(error instanceof postgres.PostgresError)) throw error;
  if (error.code !== "P0001") return { code: error.code, detail: error.constraint_name ?? null, message: error.message };
  return { code: error.hint ?? "", detail: error.detail ? JSON.parse(error.detail) : null, message: error.message };
}

export async function refused(statement: PromiseLike<unknown>): Promise<ReturnType<typeof refusal>> {
  try {
    await statement;
  } catch (error) {
    return refusal(error);
  }
  throw new Error("the statement was allowed");
}

export const forbiddenByGrant = "42501";
