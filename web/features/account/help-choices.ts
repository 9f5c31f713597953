import { loadPart } from "../../lib/load-part.ts";
import type { MenuChoice } from "../../ui/menu-choices.tsx";

const load = async () => (await loadPart(() => import("./help.ts"))).openHelp;

export const helpChoices = [
  { label: "Help", icon: "question-circle", onChoose: async () => (await load())("help") },
  { label: "What's new in Tidings", icon: "megaphone", onChoose: async () => (await load())("news") },
] satisfies MenuChoice[];
