import { useState } from "react";
import { z } from "zod";
import { allowedOriginsPerWorkspace } from "#contract/limits.ts";
import { withScheme } from "#contract/rules/website.ts";
import { type Workspace, siteOrigin } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Section } from "../../components/section.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateWorkspace } from "./use-update-workspace.ts";
import css from "./settings.module.css";

/** The sites that may show the widget; each change is stored at once. */
export function OriginsSection({ workspace }: { workspace: Workspace }) {
  const { update } = useUpdateWorkspace(workspace.id);
  const [changing, setChanging] = useState<string>();
  const [added, setAdded] = useState(0);
  const sites = workspace.allowed_origins;

  /** One at a time: each change sends the whole list. */
  async function change(site: string, allowed_origins: string[]) {
    setChanging(site);
    try {
      await update({ allowed_origins });
    } finally {
      setChanging(undefined);
    }
  }
  async function remove(site: string) {
    try {
      await change(
        site,
        sites.filter((one) => one !== site),
      );
    } catch (error) {
      toasts.error("The site could not be removed", error instanceof ApiError ? error.message : "Please try again later");
    }
  }

  return (
    <Section title="Allowed origins" text="The sites that may show your widget.">
      {sites.length > 0 ? (
        <ul role="list" aria-label="Allowed origins" className={css.sites}>
          {sites.map((site) => (
            <li key={site}>
              <span>{site}</span>
              <IconButton
                icon="times"
                label={`Remove ${site}`}
                busy={changing === site}
                disabled={changing !== undefined && changing !== site}
                onClick={() => void remove(site)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className={css.note}>No site yet: the widget shows only on your own public page.</p>
      )}
      {sites.length < allowedOriginsPerWorkspace && (
        <ContractForm
          key={added}
          schema={siteForm}
          failure="The site could not be added. Please try again later."
          onSubmit={async ({ site }) => {
            await change(site, [...new Set([...sites, site])]);
            setAdded(added + 1);
          }}
        >
          {({ submitting }) => (
            <div className={css.line}>
              <TextField
                name="site"
                label="Add a site"
                type="url"
                placeholder="https://example.com"
                autoComplete="off"
                complete={withScheme}
                autoFocus={added > 0}
              />
              <Button type="submit" busy={submitting} disabled={changing !== undefined && !submitting}>
                Add
              </Button>
            </div>
          )}
        </ContractForm>
      )}
    </Section>
  );
}

/** One site as it is typed: "https://example.com/" is meant without the slash. */
const siteForm = z.object({
  site: z
    .string({ error: "Please enter the URL of a site, such as https://example.com" })
    .transform((typed) => typed.trim().replace(/\/+$/, ""))
    .pipe(siteOrigin),
});
