/** A point in time as it goes over the wire: ISO 8601 in UTC. */
export function iso(time: string): string;
export function iso(time: string | null): string | null;
export function iso(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
