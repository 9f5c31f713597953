import type { Env } from "../_shared/env.ts";
import type { ApiApp } from "../_shared/handle.ts";

const yearMs = 365 * 86_400_000;

/** RFC 9116, if the operator set a contact; else 404. */
export function serveSecurityTxt(app: ApiApp, { publicUrl, securityContact }: Env, now = () => new Date()): void {
  app.all("/.well-known/security.txt", (context) => {
    context.set("route", "/.well-known/security.txt");
    if (context.req.method !== "GET" && context.req.method !== "HEAD") return context.body(null, 405, { allow: "GET, HEAD" });
    if (securityContact === null) return context.notFound();
    const contact = securityContact.includes("@") ? `mailto:${securityContact}` : securityContact;
    const expires = new Date(now().getTime() + yearMs).toISOString();
    return context.text(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}/.well-known/security.txt\n`);
  });
}
