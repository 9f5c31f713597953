import { addOns, type AddOn, workingAddOns } from "#contract/kinds.ts";
import type { AddOnOutcome } from "./use-add-ons.ts";

export const addOnLabels: Readonly<Record<AddOn, { name: string; text: string }>> = {
  analytics: { name: "Analytics", text: "Views and readers, counted without cookies" },
  sso: { name: "Single sign-on", text: "Your team signs in through your identity provider" },
  "custom-domain": { name: "Custom domain", text: "Serve your changelog from your own domain" },
  backup: { name: "Backup", text: "A daily backup of everything you've written" },
  reports: { name: "Reports", text: "A monthly summary in your inbox" },
  "priority-support": { name: "Priority support", text: "An answer on the same working day" },
};

/** Parses a list such as "analytics,sso", ignoring unknown names. */
export function addOnsIn(list: string | null): AddOn[] {
  const requested = (list ?? "").split(",");
  return addOns.filter((addOn) => requested.includes(addOn));
}

/** Self-hosted installations have no seller of support. */
export const isOffered = (addOn: AddOn, { included }: { included: boolean }): boolean => !(included && addOn === "priority-support");

export const isReleased = (addOn: AddOn): boolean => workingAddOns.includes(addOn);

const listed = (names: readonly AddOn[]) => new Intl.ListFormat("en").format(names.map((addOn) => addOnLabels[addOn].name));

/** Result message of an upgrade request. */
export function describeOutcome(workspace: string, { active, recorded }: AddOnOutcome): { title: string; text: string } {
  const later = recorded.filter((addOn) => !isReleased(addOn));
  const byHand = recorded.filter(isReleased); // granted manually here
  const verb = later.length === 1 ? "isn't" : "aren't";
  return {
    title:
      active.length === 0
        ? "Your request has been recorded"
        : recorded.length === 0
          ? "Your upgrade is active"
          : "Part of your upgrade is active",
    text: [
      active.length > 0 && `${workspace} now has ${listed(active)}.`,
      byHand.length > 0 && `We'll get in touch about ${listed(byHand)} for ${workspace}.`,
      later.length > 0 && `${listed(later)} ${verb} available yet. We've noted your interest.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}
