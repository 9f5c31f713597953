import { bringOut } from "../bring-out.ts";
import type { Run } from "../tool.ts";

export const publish: Run<"publish"> = (call, { id, expected_version, notify }) =>
  bringOut(call, { id, expected_version, notify }, "published");
