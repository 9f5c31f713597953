/** From which port on, and how many, the parts of stacks have theirs. */
export const lowest = 20_000;
export const count = 12_000;
/** So many a stack's parts need, with some to spare. */
const each = 8;

/** Where a stack with this public port looks first. Those beside it look elsewhere, or two that start at once would find the same port free. */
export const firstPort = (publicPort: number): number => lowest + ((publicPort * each) % count);
