import { useConfig } from "../../lib/config.ts";
import { Stack, Text } from "../../ui/layout.tsx";

export function CookieDetails() {
  const analytics = useConfig()?.analyticsSrc;
  return (
    <Text as={Stack} gap={2} size="small" tone="muted" style={{ marginTop: "var(--space-2)" }}>
      <p>Necessary cookies keep you signed in and remember this choice. No third party reads them.</p>
      <p>
        If you allow cookies, {analytics ? <>a script from {new URL(analytics, location.origin).host}</> : "an analytics script"} can count
        how Tidings is used. “Got it!” and “Refuse cookies” don't allow this. You can change your choice in your settings at any time.
      </p>
    </Text>
  );
}
