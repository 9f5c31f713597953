/**
 * The domain a consent cookie is scoped to: the parent of app.tidings.example is tidings.example. Null where only the host itself will do:
 * localhost, its subdomains, and addresses in numbers. Source: specification, section 2 ("Cookie consent").
 */
export function cookieDomain(hostname: string): string | null {
  const labels = hostname.split(".");
  if (labels.at(-1) === "localhost" || labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return null;
  return (labels.length > 2 ? labels.slice(1) : labels).join(".");
}
