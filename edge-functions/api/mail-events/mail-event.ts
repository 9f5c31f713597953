/** What a provider tells of one mail, whatever its own words are. At least one of `delivery`, `remote` and `email` says which mail. */
export interface MailEvent {
  /** The provider's own name for what it tells: told twice, it counts once. */
  key: string;
  kind: "hard" | "soft" | "complaint" | "left";
  /** The id of our delivery, where the provider hands back what it was given. */
  delivery: string | null;
  /** What the provider calls the mail. */
  remote: string | null;
  email: string | null;
  at: string;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The delivery that a tag or a Message-ID of ours names. */
export const deliveryIn = (text: string | null | undefined): string | null => uuid.exec(text ?? "")?.[0] ?? null;

/** A moment as Postgres takes it; now where there is none, or one that cannot be. */
export function momentOf(text: string | null | undefined, nowMs = Date.now()): string {
  const given = Date.parse(text ?? "");
  const isPlausible = given <= nowMs + 86_400_000 && given > nowMs - 366 * 86_400_000;
  return new Date(isPlausible ? given : nowMs).toISOString();
}

/** JSON, or undefined. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
