import { addOns, type AddOn } from "#contract/kinds.ts";

/** Each add-on's name and what it brings, in one line. */
export const addOnWords: Readonly<Record<AddOn, { name: string; text: string }>> = {
  analytics: { name: "Analytics", text: "Who reads what, counted without cookies" },
  sso: { name: "Single sign-on", text: "Your team signs in with your own identity provider" },
  "custom-domain": { name: "Custom domain", text: "Your changelog under an address of your own" },
  backup: { name: "Backup", text: "A daily copy of everything you have written" },
  reports: { name: "Reports", text: "A monthly summary in your inbox" },
  "priority-support": { name: "Priority support", text: "An answer on the same working day" },
};

/** The add-ons named in an address, such as "analytics,sso"; what is none is left out. */
export function addOnsIn(list: string | null): AddOn[] {
  const named = (list ?? "").split(",");
  return addOns.filter((addOn) => named.includes(addOn));
}
