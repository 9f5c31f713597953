/**
 * A process of its own, so that sending does not slow the measuring: it says that it is there, is told once whose attack
 * and for how long, and says what was answered.
 */
import { attack, type Attacker, loadPlainly, type Outcome } from "./attacks.ts";

export interface Order {
  attacker: Attacker;
  name: string;
  ms: number;
  /** Where the same load goes instead, and what is answered there. */
  instead?: { port: number; answers: Outcome["answers"] };
}

process.once("message", ({ attacker, name, ms, instead }: Order) => {
  const under = instead ? loadPlainly(attacker, name, ms, instead.port, instead.answers) : attack(attacker, name, ms);
  void under.then((outcome) => process.send?.(outcome, () => process.exit()));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");
