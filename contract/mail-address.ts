const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Trimmed, domain lowercase and ASCII (xn--…); null if invalid. Same rule as private.is_mail_address (RFC 5321). */
export function mailAddress(text: string): string | null {
  const [, name, host] = /^([^@]+)@([^@\s\p{Cc}/:?#\\[\]]+)$/u.exec(text.trim()) ?? [];
  if (name === undefined || host === undefined || name.length > 64 || !local.test(name) || !URL.canParse(`http://${host}`)) return null;
  const address = `${name}@${new URL(`http://${host}`).hostname}`;
  return address.length <= 254 && domain.test(address.slice(name.length + 1)) ? address : null;
}
