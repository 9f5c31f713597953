const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

/** True for requests from this machine, including via the address `host`. */
export const isOfThisMachine = (address: string, host: string | null): boolean => address === host || loopback.test(address);
