import { useState } from "react";
import { emailDomainsMax } from "#contract/limits.ts";
import { type EmailDomain, singleSignOnEndpoints } from "#contract/single-sign-on.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall, type Write } from "../../lib/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Copied } from "../../ui/copied.tsx";
import { Facts } from "../../ui/facts.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface Props {
  workspaceId: string;
  isOwner: boolean;
}

/** The owner changes them. */
export function EmailDomainsSection({ workspaceId, isOwner }: Props) {
  const params = { workspaceId };
  const { data, error, mutate, write } = useCall(singleSignOnEndpoints.read, { params });
  const [removing, setRemoving] = useState<string>();
  const [added, setAdded] = useState(0);
  const { running, run } = useAction();

  return (
    <Section
      title="Email domains"
      text="Verify the domains of your company's email addresses, for single sign-on or to let colleagues join."
    >
      {!data && <ListLoading label="the email domains" error={error} rows={1} onRetry={() => void mutate()} />}
      {data && data.domains.length > 0 && (
        <List role="list" aria-label="Email domains" style={{ width: "100%" }}>
          {data.domains.map((domain) => (
            <DomainItem key={domain.domain} {...{ domain, params, isOwner, write }} onRemove={() => setRemoving(domain.domain)} />
          ))}
        </List>
      )}
      {data && isOwner && data.domains.length < emailDomainsMax && (
        <ContractForm
          key={added}
          schema={singleSignOnEndpoints.addDomain.body!}
          failure="Couldn't add the domain. Please try again later."
          onSubmit={async (body) => {
            await write(singleSignOnEndpoints.addDomain, { params, body });
            setAdded(added + 1);
          }}
        >
          <FieldWithButton>
            <TextField name="domain" label="Domain" placeholder="example.com" autoComplete="off" autoFocus={added > 0} />
            <SubmitButton>Add domain</SubmitButton>
          </FieldWithButton>
        </ContractForm>
      )}
      {data && (
        <Checkbox
          label="Let people of these domains join"
          note="They become viewers when they sign in. People you remove need an invitation to come back."
          checked={data.join_by_domain}
          disabled={!isOwner || running !== undefined}
          onChange={({ target }) =>
            void run("joining", "Couldn't save", async () => {
              await write(singleSignOnEndpoints.saveJoining, { params, body: { join_by_domain: target.checked } });
              toasts.success("Saved");
            })
          }
        />
      )}
      {removing !== undefined && (
        <ConfirmAction
          title={`Remove ${removing}?`}
          confirm="Remove"
          danger
          failure="Couldn't remove the domain"
          act={() => write(singleSignOnEndpoints.removeDomain, { params: { ...params, domain: removing } })}
          onClose={() => setRemoving(undefined)}
        >
          People with these addresses can&apos;t use single sign-on or join any more. Members stay.
        </ConfirmAction>
      )}
    </Section>
  );
}

interface DomainItemProps {
  domain: EmailDomain;
  params: { workspaceId: string };
  isOwner: boolean;
  write: Write;
  onRemove: () => void;
}

function DomainItem({ domain: { domain, record, is_proven, missing_since }, params, isOwner, write, onRemove }: DomainItemProps) {
  const { running, run } = useAction();
  const isWaiting = !is_proven || missing_since !== null;

  async function check() {
    const { domains } = await write(singleSignOnEndpoints.checkDomain, { params: { ...params, domain } });
    if (domains.find((one) => one.domain === domain)?.is_proven) toasts.success(`${domain} is verified`);
    else toasts.info("The TXT record isn't there yet", "New records can take up to an hour to appear");
  }

  return (
    <li>
      <Stack gap={3} grow>
        <Row gap={3}>
          <Text strong grow>
            {domain}
          </Text>
          <StatusLabel
            {...(is_proven
              ? ({ label: "Verified", icon: "check-circle", tone: "ok" } as const)
              : ({ label: "Waiting for DNS", icon: "clock", tone: "warn" } as const))}
          />
          {isOwner && <IconButton icon="trash" label={`Remove ${domain}`} onClick={onRemove} />}
        </Row>
        {missing_since !== null && (
          <Text tone="warn">
            The TXT record is missing since {moment(missing_since)}. After three days the domain isn&apos;t verified any more.
          </Text>
        )}
        {isWaiting && (
          <>
            <Facts
              facts={[
                ["TXT record", <Copied key="name" text={record.name} label="the name of the TXT record" />],
                ["Value", <Copied key="value" text={record.value} label="the value of the TXT record" />],
              ]}
            />
            {isOwner && (
              <Button
                icon="refresh"
                size="small"
                style={{ justifySelf: "start" }}
                busy={running !== undefined}
                onClick={() => void run("check", "Couldn't check the domain", check)}
              >
                Check now
              </Button>
            )}
          </>
        )}
      </Stack>
    </li>
  );
}
