import { z } from "zod";
import { website } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { TextField } from "../../components/text-field.tsx";
import css from "./site-form.module.css";

const form = z.object({ address: website });

/** Asks where the site is that some files came from: they do not say it, and its pictures and old addresses depend on it. */
export function SiteForm({ onSaid }: { onSaid: (address: string) => void }) {
  return (
    <ContractForm schema={form} failure="This could not be read. Please try again." onSubmit={async ({ address }) => onSaid(address)}>
      {({ submitting }) => (
        <div className={css.line}>
          <TextField name="address" label="Where the site is" placeholder="blog.example.com" autoComplete="off" maxLength={2_048} />
          <Button type="submit" className={css.button} busy={submitting}>
            Read again with it
          </Button>
        </div>
      )}
    </ContractForm>
  );
}
