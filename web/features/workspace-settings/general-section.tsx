import { workspaceNameMaxLength } from "#contract/limits.ts";
import { withScheme } from "#contract/rules/website.ts";
import { createWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ImageSetting } from "../../ui/image-setting.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { logoRules } from "../../lib/image-rules.ts";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateWorkspace } from "./use-update-workspace.ts";
import { Row, Text } from "../../ui/layout.tsx";
import css from "./settings.module.css";

const nameAndSite = createWorkspaceInput.pick({ name: true, origin: true });

/** The subdomain can't be changed. */
export function GeneralSection({ workspace }: { workspace: Workspace }) {
  const { update, uploadLogo, removeLogo } = useUpdateWorkspace(workspace.id);
  const host = useConfig()?.host;
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
        {({ submitting }) => (
          <>
            <TextField name="name" label="Business name" autoComplete="organization" maxLength={workspaceNameMaxLength} />
            <TextField name="origin" label="Business website" type="url" autoComplete="url" complete={withScheme} />
            <div>
              <Button type="submit" variant="primary" busy={submitting}>
                Save
              </Button>
            </div>
          </>
        )}
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
    </Section>
  );
}

/** Read-only version. */
export function FactsSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="General" text="Only owners and admins can change this.">
      <dl className={css.facts}>
        <dt>Business name</dt>
        <dd>{workspace.name}</dd>
        <dt>Custom subdomain</dt>
        <dd>{workspace.subdomain}</dd>
        <dt>Business website</dt>
        <dd>{workspace.origin ?? "–"}</dd>
      </dl>
    </Section>
  );
}
