import { useForm, useFormState } from "react-final-form";
import { accessEndpoints, type WorkspaceAccess, workspaceAccessInput } from "#contract/access.ts";
import { type Access, accessModes, isPrivate } from "#contract/rules/reader-access.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useCall } from "../../lib/use-call.ts";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Copied } from "../../ui/copied.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

const labels: Readonly<Record<Access, { name: string; text: string }>> = {
  public: { name: "Everyone", text: "Search engines can find it." },
  unlisted: { name: "Everyone who has the URL", text: "Search engines are asked to leave it out." },
  link: { name: "People with a secret link", text: "Opening the link once is enough for 30 days." },
  password: { name: "People with a password", text: "They enter it once in 30 days." },
  token: { name: "Users of your product", text: "Your product signs a token for each of them." },
  members: { name: "Members of this workspace", text: "They sign in to Tidings." },
};

/** Access to the public changelog. For owner and admins. */
export function AccessSection({ workspaceId }: { workspaceId: string }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(accessEndpoints.read, { params });
  const [renewing, setRenewing] = useState(false);

  async function save(values: typeof workspaceAccessInput._output) {
    await mutate(call(accessEndpoints.save, { params, body: values }), { revalidate: false });
    toasts.success("Saved");
  }

  return (
    <Section
      title="Access"
      text="Who can read your public changelog, its feeds and the widget. Changes apply at once. Caches of other companies can keep copies for a few minutes."
    >
      {!data && error ? (
        <Text tone="muted">Couldn't load who can read it. Try refreshing the page.</Text>
      ) : !data ? (
        <Skeleton height="18rem" />
      ) : (
        <>
          <ContractForm
            key={data.access}
            schema={workspaceAccessInput}
            initialValues={{ access: data.access, emails_content: data.emails_content, remembers_readers: data.remembers_readers }}
            failure="Couldn't save. Please try again later."
            onSubmit={save}
          >
            <Choices present={data.access} />
            <SubmitButton variant="primary">Save</SubmitButton>
          </ContractForm>
          <Secret access={data} />
          <Button onClick={() => setRenewing(true)}>{isPrivate(data.access) ? "End everyone's access" : "Renew secret"}</Button>
        </>
      )}
      <Suspense>
        {renewing && data && (
          <ConfirmAction
            title={isPrivate(data.access) ? "End everyone's access?" : "Renew the secret?"}
            confirm={isPrivate(data.access) ? "End access" : "Renew secret"}
            failure={isPrivate(data.access) ? "Couldn't end the access" : "Couldn't renew the secret"}
            act={() => save({ access: data.access, emails_content: data.emails_content, renew: true })}
            onClose={() => setRenewing(false)}
          >
            {isPrivate(data.access) &&
              `Everyone has to ${howAgain[data.access as keyof typeof howAgain]} again. Addresses of feeds change too. `}
            Your product has to sign its tokens with the new secret.
          </ConfirmAction>
        )}
      </Suspense>
    </Section>
  );
}

const howAgain = {
  link: "open a new link",
  password: "enter the password",
  token: "come from your product with a token of a new secret",
  members: "sign in",
};

function Choices({ present }: { present: Access }) {
  const { change } = useForm();
  const { values, submitSucceeded } = useFormState<{ access: Access }>({ subscription: { values: true, submitSucceeded: true } });
  const chosen = values.access;
  useEffect(() => {
    if (submitSucceeded) change("password", undefined);
  }, [submitSucceeded, change]);
  return (
    <>
      <Stack as="fieldset" gap={2}>
        <legend>Who can read it?</legend>
        {accessModes.map((access) => (
          <Checkbox
            key={access}
            type="radio"
            name="access"
            label={labels[access].name}
            note={labels[access].text}
            checked={chosen === access}
            onChange={() => change("access", access)}
          />
        ))}
      </Stack>
      {chosen === "password" && (
        <TextField
          name="password"
          type="password"
          label={present === "password" ? "New password" : "Password"}
          optional={present === "password"}
          hint="At least 8 characters. A new password ends everyone's access."
          autoComplete="off"
        />
      )}
      <Stack gap={1}>
        <CheckboxField name="remembers_readers" label="Readers see what's new on all their devices" />
        <Text tone="muted" size="small">
          For readers whom your product identifies in the widget. Stores what each has seen for 13 months, without their id. Turning it off
          deletes it.
        </Text>
      </Stack>
      {isPrivate(chosen) && (
        <>
          <CheckboxField name="emails_content" label="Emails to subscribers contain the whole post" />
          <Text tone="muted" size="small">
            Without it, they contain the title and a link. Readers see images at URLs that expire. URLs of images from when the changelog
            was public keep working.
          </Text>
        </>
      )}
    </>
  );
}

function Secret({ access: { link, token_secret } }: { access: WorkspaceAccess }): ReactNode {
  return (
    <>
      <Facts
        facts={[
          ["Secret link", link && <Copied key="link" text={link} label="the secret link" />],
          ["Secret for tokens", <Copied key="secret" text={token_secret} label="the secret" />],
        ]}
      />
      <Text tone="muted" size="small">
        With it, your product signs tokens that say who a reader is. They open a private changelog, and posts for some readers in the
        widget. The secret changes when you choose another access or end everyone's.
      </Text>
    </>
  );
}
