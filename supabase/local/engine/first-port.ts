/** First port and number of port ranges for the stacks' internal parts. */
export const lowest = 20_000;
export const count = 12_000;
/** Ports per stack, with some to spare. */
const each = 8;

/** First port to try for a stack. Differs per public port, so two stacks starting at once don't collide. */
export const firstPort = (publicPort: number): number => lowest + ((publicPort * each) % count);
