import { type EventDetail, Tidings } from "@tidings/widget";
import { useEffect, useState } from "react";

/** A button that opens the panel and shows how many posts are new. */
export function WhatsNew({ workspace }: { workspace: string }) {
  const [unread, setUnread] = useState(0);

  useEffect(() => {
    const update = ({ workspace: from, count = 0 }: EventDetail) => {
      if (from === workspace) setUnread(count);
    };
    Tidings.on("unread", update);
    Tidings.mount({ origin: "https://tidings.example", workspace, selector: "#whats-new" });
    return () => {
      Tidings.off("unread", update);
      Tidings.destroy(workspace);
    };
  }, [workspace]);

  return (
    <button id="whats-new" type="button">
      What's new{unread > 0 && ` (${unread})`}
    </button>
  );
}
