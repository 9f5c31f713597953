export interface MailEvent {
  key: string;
  kind: "hard" | "soft" | "complaint" | "left";
  delivery: string | null;
  remote: string | null;
  email: string | null;
  at: string;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

export const deliveryIn = (text: string | null | undefined): string | null => uuid.exec(text ?? "")?.[0] ?? null;

export function momentOf(text: string | null | undefined, nowMs = Date.now()): string {
  const time = Date.parse(text ?? "");
  const isPlausible = time <= nowMs + 86_400_000 && time > nowMs - 366 * 86_400_000;
  return new Date(isPlausible ? time : nowMs).toISOString();
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
