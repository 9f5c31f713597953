import { attack, type Attacker } from "./attacks.ts";

export interface Order {
  attacker: Attacker;
  name: string;
  ms: number;
}

process.once("message", ({ attacker, name, ms }: Order) => {
  void attack(attacker, name, ms).then((outcome) => process.send?.(outcome, () => process.exit()));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");
