import { addOns, type AddOn, workingAddOns } from "#contract/kinds.ts";
import type { AddOnOutcome } from "./use-add-ons.ts";

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

export const exists = (addOn: AddOn): boolean => workingAddOns.includes(addOn);

const listed = (names: readonly AddOn[]) => new Intl.ListFormat("en").format(names.map((addOn) => addOnWords[addOn].name));

/** What became of an asking, in a title and sentences; nothing is promised that does not exist. */
export function outcomeWords(workspace: string, { active, recorded }: AddOnOutcome): { title: string; text: string } {
  const later = recorded.filter((addOn) => !exists(addOn));
  const byHand = recorded.filter(exists); // this installation grants none by itself
  const [is, it] = later.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    title:
      active.length === 0
        ? "Your request has been recorded"
        : recorded.length === 0
          ? "Your upgrade is active"
          : "Part of your upgrade is active",
    text: [
      active.length > 0 && `${workspace} has ${listed(active)} from now on.`,
      byHand.length > 0 && `We will get in touch about ${listed(byHand)} for ${workspace}.`,
      later.length > 0 && `${listed(later)} ${is} not there yet. We have written down that ${workspace} wants ${it}.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}
