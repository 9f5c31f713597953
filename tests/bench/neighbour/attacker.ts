/** A process of its own, so that sending does not slow the measuring: `data` says whose attack and for how long. */
import { parentPort, workerData } from "node:worker_threads";
import { attack, type Attacker } from "./attacks.ts";

const { attacker, name, ms } = workerData as { attacker: Attacker; name: string; ms: number };
parentPort?.postMessage(await attack(attacker, name, ms));
