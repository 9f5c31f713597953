import { useState } from "react";
import { z } from "zod";
import { allowedOriginsPerWorkspace } from "#contract/limits.ts";
import { withScheme } from "#contract/rules/website.ts";
import { type Workspace, siteOrigin, workspaceEndpoints } from "#contract/workspaces.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { SettingGroup } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateWorkspace } from "./use-update-workspace.ts";
import { List, Text } from "../../ui/layout.tsx";

/** Saved on each change. */
export function OriginsSection({ workspace }: { workspace: Workspace }) {
  const { update } = useUpdateWorkspace(workspace.id);
  const [pendingSite, setPendingSite] = useState<string>();
  const [added, setAdded] = useState(0);
  const sites = workspace.allowed_origins;

  /** One at a time: each change sends the whole list, read again because another tab may have changed it. */
  async function change(site: string, edit: (sites: readonly string[]) => string[]) {
    setPendingSite(site);
    try {
      const { workspaces } = await call(workspaceEndpoints.list);
      const current = workspaces.find(({ id }) => id === workspace.id)?.allowed_origins ?? sites;
      await update({ allowed_origins: edit(current) });
    } finally {
      setPendingSite(undefined);
    }
  }
  async function remove(site: string) {
    try {
      await change(site, (current) => current.filter((one) => one !== site));
    } catch (error) {
      toasts.failure("Couldn't remove the site", error);
    }
  }

  return (
    <SettingGroup title="Allowed origins" text="Sites that can show your widget.">
      {sites.length > 0 ? (
        <List aria-label="Allowed origins">
          {sites.map((site) => (
            <li key={site}>
              <Text as="span" grow>
                {site}
              </Text>
              <IconButton
                icon="times"
                label={`Remove ${site}`}
                busy={pendingSite === site}
                disabled={pendingSite !== undefined && pendingSite !== site}
                onClick={() => void remove(site)}
              />
            </li>
          ))}
        </List>
      ) : (
        <Text tone="muted">No sites yet. The widget only shows on your own public page.</Text>
      )}
      {sites.length < allowedOriginsPerWorkspace && (
        <ContractForm
          key={added}
          schema={siteForm}
          failure="Couldn't add the site. Please try again later."
          onSubmit={async ({ site }) => {
            await change(site, (current) => [...new Set([...current, site])]);
            setAdded(added + 1);
          }}
        >
          <FieldWithButton>
            <TextField
              name="site"
              label="Add site"
              type="url"
              placeholder="https://example.com"
              autoComplete="off"
              complete={withScheme}
              autoFocus={added > 0}
            />
            <SubmitButton disabled={pendingSite !== undefined}>Add</SubmitButton>
          </FieldWithButton>
        </ContractForm>
      )}
    </SettingGroup>
  );
}

/** Trailing slashes are removed. */
const siteForm = z.object({
  site: z
    .string({ error: "Enter a site URL, such as https://example.com" })
    .transform((typed) => typed.trim().replace(/\/+$/, ""))
    .pipe(siteOrigin),
});
