/**
 * A process of its own, so that sending does not slow the measuring: it says that it is there, is told once whose attack
 * and for how long, and says what was answered.
 */
import { attack, type Attacker } from "./attacks.ts";

process.once("message", ({ attacker, name, ms }: { attacker: Attacker; name: string; ms: number }) => {
  void attack(attacker, name, ms).then((statuses) => process.send?.(statuses, () => process.exit()));
});
process.send?.("ready");
