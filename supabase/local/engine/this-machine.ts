const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

/** Whether a call comes from this machine, as the functions' do: also by the address `host` that is listened on. */
export const isOfThisMachine = (address: string, host: string | null): boolean => address === host || loopback.test(address);
