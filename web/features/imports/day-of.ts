/** The day of a moment as the public page has it, which is the same for all: a source's "January 5" is January 5 also west of Greenwich. */
export const dayOf = (moment: string): string => new Date(moment).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
