import { parentPort } from "node:worker_threads";
import { compareSync, hashSync } from "bcryptjs";
import type { HashingResult, HashingTask } from "./password-hashing.ts";

const work = (task: HashingTask) => ("hash" in task ? compareSync(task.password, task.hash) : hashSync(task.password, task.rounds));

function resultOf(task: HashingTask): HashingResult {
  try {
    return { id: task.id, value: work(task) };
  } catch (error) {
    return { id: task.id, error: error as Error };
  }
}

parentPort!.on("message", (task: HashingTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(resultOf(task));
});
