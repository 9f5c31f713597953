import { idempotencyKeyMaxLength } from "#contract/limits.ts";
import { AppError } from "./errors.ts";

const shape = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyMaxLength}}$`);

export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || shape.test(key)) return key;
  const sentence = `Please use 1 to ${idempotencyKeyMaxLength} visible ASCII characters`;
  throw new AppError("validation_failed", { fields: { idempotency_key: sentence } });
}
