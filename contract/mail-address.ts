const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * An email address as it is kept: no blanks around it, its domain in small letters and, where that is written in another script, as xn--….
 * Null for what is none; the database asks the same (private.is_mail_address). At most 254 characters, 64 of them before the @ (RFC 5321).
 */
export function mailAddress(text: string): string | null {
  const [, name, host] = /^([^@]+)@([^@\s\p{Cc}/:?#\\[\]]+)$/u.exec(text.trim()) ?? [];
  if (name === undefined || host === undefined || name.length > 64 || !local.test(name) || !URL.canParse(`http://${host}`)) return null;
  const address = `${name}@${new URL(`http://${host}`).hostname}`;
  return address.length <= 254 && domain.test(address.slice(name.length + 1)) ? address : null;
}
