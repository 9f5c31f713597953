import { useState } from "react";
import type { z } from "zod";
import { withScheme } from "#contract/rules/website.ts";
import { widgetCheckInput, widgetEndpoints } from "#contract/widget-endpoints.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";

type Finding = z.output<typeof widgetEndpoints.check.response>;

/** Answers "is the widget on my site?". Owners and admins only. */
export function SiteCheck({ workspace }: { workspace: Workspace }) {
  const [finding, setFinding] = useState<Finding>();
  const isFine = finding?.result === "found" && workspace.allowed_origins.includes(finding.origin);
  return (
    <Stack as="section" gap={2} aria-label="Check your site">
      <ContractForm
        schema={widgetCheckInput}
        initialValues={{ url: workspace.origin ?? undefined }}
        failure="Couldn't check the page. Please try again later."
        onSubmit={async (body) => {
          setFinding(undefined);
          setFinding(await call(widgetEndpoints.check, { params: { workspaceId: workspace.id }, body }));
        }}
      >
        <FieldWithButton>
          <TextField name="url" label="Page with the widget" type="url" autoComplete="off" complete={withScheme} />
          <SubmitButton>Check page</SubmitButton>
        </FieldWithButton>
      </ContractForm>
      <Text role="status" tone={isFine ? "ok" : "warn"}>
        {finding && sentenceOf(finding, workspace.allowed_origins)}
      </Text>
    </Stack>
  );
}

function sentenceOf({ result, origin, detail }: Finding, allowedOrigins: readonly string[]): string {
  switch (result) {
    case "found":
      return allowedOrigins.includes(origin)
        ? "The widget is on this page."
        : `The widget is on this page, but it can't load. Add ${origin} to the allowed origins.`;
    case "other_workspace":
      return detail === null
        ? "The widget is on this page without a workspace. Copy the snippet again."
        : `This page has the widget of "${detail}". Copy the snippet again.`;
    case "not_found":
      return "The widget isn't in this page's HTML. If a tag manager or framework adds it, open the page to see it.";
    case "unreachable":
      return `Couldn't read the page. ${detail}.`;
  }
}
