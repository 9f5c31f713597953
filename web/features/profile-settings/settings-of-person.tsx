import type { ReactNode } from "react";
import { NavLink } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Row, Stack } from "../../ui/layout.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { PersonPage } from "../account/person-page.tsx";

const pages = [
  { label: "Profile", to: paths.profile },
  { label: "Security", to: paths.security },
];

/** Layout of a person's settings pages. */
export function SettingsOfPerson({ title, subtitle, children }: { title: string; subtitle?: string; children: ReactNode }) {
  return (
    <PersonPage back>
      <Stack gap={6}>
        <PageTitle title={title} subtitle={subtitle} />
        <Row as="nav" aria-label="Settings" gap={1}>
          {pages.map(({ label, to }) => (
            <Row as={NavLink} choice key={to} to={to} end style={{ color: "inherit", textDecoration: "none" }}>
              {label}
            </Row>
          ))}
        </Row>
        <div>{children}</div>
      </Stack>
    </PersonPage>
  );
}
