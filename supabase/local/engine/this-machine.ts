const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

export const isOfThisMachine = (address: string, host: string | null): boolean => address === host || loopback.test(address);
