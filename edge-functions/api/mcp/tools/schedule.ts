import { bringOut } from "../bring-out.ts";
import type { Run } from "../tool.ts";

export const schedule: Run<"schedule"> = (call, { id, expected_version, publish_at, notify }) =>
  bringOut(call, { id, expected_version, publish_at, notify }, "scheduled");
