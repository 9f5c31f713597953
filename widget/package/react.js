"use client";

import { useEffect, useMemo, useState } from "react";
import { callsOf, start } from "./start.js";

export function useTidings(options) {
  const [unread, setUnread] = useState(0);
  const { workspace } = options;
  const key = JSON.stringify(options); // a new object at each render is the same widget
  useEffect(() => start(JSON.parse(key), setUnread), [key]);
  const calls = useMemo(() => callsOf(() => workspace), [workspace]);
  return { unread, ...calls };
}
