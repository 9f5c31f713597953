import { fromDatabase, fromStorage, type DatabaseError } from "../_shared/backend-errors.ts";

/**
 * The rows of a database call, or its error as one of ours. `Row` names what the migrations define;
 * the endpoint's response schema checks it before anything leaves.
 */
export async function rows<Row>(call: PromiseLike<{ data: unknown; error: DatabaseError | null; status: number }>): Promise<Row> {
  const { data, error, status } = await call;
  if (error) throw fromDatabase(error, status);
  return data as Row;
}

/** The same for a call of the storage service. */
export async function stored(call: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await call;
  if (error) throw fromStorage(error);
}
