import { useTidings } from "@tidings/widget/react";

/** A button that opens the panel and shows how many posts are new. */
export function WhatsNew({ workspace }: { workspace: string }) {
  const { unread } = useTidings({ origin: "https://tidings.example", workspace, selector: "#whats-new" });

  return (
    <button id="whats-new" type="button">
      What's new{unread > 0 && ` (${unread})`}
    </button>
  );
}
