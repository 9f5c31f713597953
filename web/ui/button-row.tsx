import type { ReactNode } from "react";
import { Row } from "./layout.tsx";

export function ButtonRow({ children }: { children: ReactNode }) {
  return (
    <Row gap={3} justify="end" style={{ width: "100%" }}>
      {children}
    </Row>
  );
}
