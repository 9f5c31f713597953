import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Note, Row, Stack, Text } from "./layout.tsx";

interface ListItemProps {
  icon?: IconName;
  title: ReactNode;
  note?: ReactNode;
  /** Status and buttons at the row's end. */
  children?: ReactNode;
}

export function ListItem({ icon, title, note, children }: ListItemProps) {
  return (
    <Row as="li" gap={3}>
      {icon && <Icon name={icon} large muted />}
      <Stack gap={0} grow="12rem">
        <Text strong>{title}</Text>
        {note && <Note>{note}</Note>}
      </Stack>
      {children}
    </Row>
  );
}
