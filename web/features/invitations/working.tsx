import { Icon } from "../../ui/icon.tsx";
import { NarrowPage } from "../../ui/page.tsx";
import { Row } from "../../ui/layout.tsx";

export function Working({ title }: { title: string }) {
  return (
    <NarrowPage title={title}>
      <Row as="p" role="status" gap={3} style={{ color: "var(--muted)" }}>
        <Icon name="spinner" large />
        One moment…
      </Row>
    </NarrowPage>
  );
}
