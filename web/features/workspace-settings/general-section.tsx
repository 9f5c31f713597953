import { Suspense, useState } from "react";
import { workspaceNameMaxLength } from "#contract/limits.ts";
import { withScheme } from "#contract/rules/website.ts";
import { createWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { ImageSetting } from "../../ui/image-setting.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { logoRules } from "../../lib/image-rules.ts";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateWorkspace } from "./use-update-workspace.ts";
import { Row, Text } from "../../ui/layout.tsx";

const SubdomainDialog = lazyPart(() => import("./subdomain-dialog.tsx"), "SubdomainDialog");

const nameAndSite = createWorkspaceInput.pick({ name: true, origin: true });

export function GeneralSection({ workspace }: { workspace: Workspace }) {
  const { update, uploadLogo, removeLogo } = useUpdateWorkspace(workspace.id);
  const host = useConfig()?.host;
  const [changing, setChanging] = useState(false);
  return (
    <Section title="General" text="Shown on your public page.">
      <ImageSetting label="Logo" rules={logoRules} current={workspace.logo_url} save={uploadLogo} remove={removeLogo} />
      <ContractForm
        schema={nameAndSite}
        initialValues={{ name: workspace.name, origin: workspace.origin ?? undefined }}
        failure="Couldn't save the workspace. Please try again later."
        onSubmit={async (values) => {
          await update(values);
          toasts.success("Workspace saved");
        }}
      >
        <TextField name="name" label="Business name" autoComplete="organization" maxLength={workspaceNameMaxLength} />
        <TextField name="origin" label="Business website" type="url" autoComplete="url" complete={withScheme} />
        <SubmitButton variant="primary">Save</SubmitButton>
      </ContractForm>
      {host && (
        <Row>
          <Text as="span" tone="muted">
            Your public page:{" "}
            <Text as="strong" tone="text" strong>
              {publicAddress(workspace, host)}
            </Text>
          </Text>
          <CopyButton text={publicAddress(workspace, host)} label="the public URL" />
        </Row>
      )}
      {host && workspace.role === "owner" && <Button onClick={() => setChanging(true)}>Change subdomain</Button>}
      <Suspense>{changing && host && <SubdomainDialog workspace={workspace} host={host} onClose={() => setChanging(false)} />}</Suspense>
    </Section>
  );
}

/** Read-only version. */
export function FactsSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="General" text="Only owners and admins can change this.">
      <Facts
        facts={[
          ["Business name", workspace.name],
          ["Custom subdomain", workspace.subdomain],
          ["Business website", workspace.origin ?? "–"],
        ]}
      />
    </Section>
  );
}
