/**
 * A process of its own, so that sending does not slow the measuring: it says that it is there, is told once whose attack
 * and for how long, and says what was answered.
 */
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
