import { Suspense, useState } from "react";
import { type Factor, factorCodeInput, factorEndpoints } from "#contract/factors.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall } from "../../lib/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { List, Note, Row } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import type { NewFactor } from "./add-factor-dialog.tsx";
import { CodeField } from "./code-form.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

const AddFactorDialog = lazyPart(() => import("./add-factor-dialog.tsx"), "AddFactorDialog");

type Open = { adding: NewFactor } | { removing: Factor } | { renewing: true } | { codes: string[] };

export function FactorsSection() {
  const { data, error, mutate, write } = useCall(factorEndpoints.list, {});
  const [open, setOpen] = useState<Open>();
  const { running, run } = useAction();
  const close = () => setOpen(undefined);
  const show = (codes: string[]) => setOpen(codes.length > 0 ? { codes } : undefined);
  const factors = data?.factors.filter((factor) => factor.is_confirmed) ?? [];
  const add = () =>
    run("add", "Couldn't add the app", async () => setOpen({ adding: (await call(factorEndpoints.add, { body: {} })).factor }));

  return (
    <Section
      title="Two-factor authentication"
      text={required(data?.required_by) ?? "A code from an app on your phone, besides your password."}
    >
      {!data && <ListLoading label="your authenticator apps" error={error} rows={1} onRetry={() => void mutate()} />}
      {factors.length > 0 && (
        <List aria-label="Authenticator apps">
          {factors.map((factor) => (
            <ListItem
              key={factor.id}
              icon="mobile"
              title={factor.name}
              note={`Added ${relativeTime(factor.created_at, new Date()).toLowerCase()}`}
            >
              <Button variant="quiet" size="small" aria-label={`Remove ${factor.name}`} onClick={() => setOpen({ removing: factor })}>
                Remove
              </Button>
            </ListItem>
          ))}
        </List>
      )}
      {data && (
        <Row gap={3}>
          <Button busy={running === "add"} onClick={() => void add()}>
            {factors.length === 0 ? "Turn on" : "Add another app"}
          </Button>
          {factors.length > 0 && (
            <Button variant="quiet" onClick={() => setOpen({ renewing: true })}>
              New recovery codes
            </Button>
          )}
        </Row>
      )}
      {data && factors.length > 0 && <Note>{data.recovery_codes_left} of 10 recovery codes left.</Note>}
      <Suspense>
        {open && "adding" in open && (
          <AddFactorDialog
            factor={open.adding}
            onClose={close}
            onAdded={async (codes) => {
              await mutate();
              if (codes.length === 0) toasts.success("Authenticator app added");
              show(codes);
            }}
          />
        )}
      </Suspense>
      {open && "removing" in open && (
        <FormDialog
          title={`Remove ${open.removing.name}?`}
          width="30rem"
          verb="Remove"
          danger
          schema={factorCodeInput}
          failure="Couldn't remove the app. Try again later."
          onClose={close}
          onSubmit={async (body) => {
            await write(factorEndpoints.remove, { params: { factorId: open.removing.id }, body });
            close();
          }}
        >
          <p>
            {factors.length === 1 ? "Your password alone will sign you in." : "Its codes no longer work."} Enter a code from an
            authenticator app, or a recovery code.
          </p>
          <CodeField />
        </FormDialog>
      )}
      {open && "renewing" in open && (
        <FormDialog
          title="Create new recovery codes?"
          width="30rem"
          verb="Create codes"
          schema={factorCodeInput}
          failure="Couldn't create recovery codes. Try again later."
          onClose={close}
          onSubmit={async (body) => show((await write(factorEndpoints.renewRecoveryCodes, { body })).recovery_codes)}
        >
          <p>Your former codes stop working. Enter a code from your authenticator app.</p>
          <CodeField />
        </FormDialog>
      )}
      {open && "codes" in open && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
    </Section>
  );
}

function required(by: readonly { name: string }[] = []): string | null {
  if (by.length === 0) return null;
  return `Required by ${new Intl.ListFormat("en").format(by.map(({ name }) => name))}: a code from an app on your phone, besides your password.`;
}
