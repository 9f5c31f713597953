import { type ReactNode, Suspense, useState } from "react";
import { factorEndpoints, type SecondFactor } from "#contract/factors.ts";
import { paths } from "../../lib/paths.ts";
import { useCall } from "../../lib/use-call.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Panel, Row, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const BreakGlassDialog = lazyPart(() => import("./break-glass-dialog.tsx"), "BreakGlassDialog");

type ProviderWorkspace = SecondFactor["single_sign_on_required_by"][number];

interface HiddenWorkspaces {
  withoutFactor: string[];
  withoutProvider: ProviderWorkspace[];
}

/** Workspaces that are hidden until the person adds a second factor or uses single sign-on; null if there aren't any. */
export function useHiddenWorkspaces(): HiddenWorkspaces | null {
  const { data } = useCall(factorEndpoints.list, {});
  if (!data) return null;
  const { factors, required_by, single_sign_on_required_by: withoutProvider } = data;
  const withoutFactor = factors.some((factor) => factor.is_confirmed) ? [] : required_by.map(({ name }) => name);
  return withoutFactor.length + withoutProvider.length > 0 ? { withoutFactor, withoutProvider } : null;
}

export function RequiredNotice({ hidden: { withoutFactor: names, withoutProvider } }: { hidden: HiddenWorkspaces }) {
  return (
    <Stack>
      {names.length > 0 && (
        <Notice
          title={`${new Intl.ListFormat("en").format(names)}: two-factor authentication required`}
          text={`Turn it on to open ${names.length === 1 ? "this workspace" : "these workspaces"}.`}
        >
          <ButtonLink to={paths.security} variant="primary">
            Set it up
          </ButtonLink>
        </Notice>
      )}
      {withoutProvider.map((workspace) => (
        <ProviderNotice key={workspace.id} workspace={workspace} />
      ))}
    </Stack>
  );
}

function ProviderNotice({ workspace: { id, name, is_owner } }: { workspace: ProviderWorkspace }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice title={`${name}: single sign-on required`} text="Sign in with your company's account to open this workspace.">
      {is_owner && (
        <Button variant="quiet" onClick={() => setOpen(true)}>
          Use break-glass code
        </Button>
      )}
      <ButtonLink to={paths.singleSignOn({ redirectTo: paths.dashboard(id) })} variant="primary">
        Continue
      </ButtonLink>
      <Suspense>{isOpen && <BreakGlassDialog workspaceId={id} name={name} onClose={() => setOpen(false)} />}</Suspense>
    </Notice>
  );
}

function Notice({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Panel>
      <Row gap={4} justify="between">
        <Stack gap={1} grow="16rem">
          <Text strong>{title}</Text>
          <Text tone="muted">{text}</Text>
        </Stack>
        <Row gap={3}>{children}</Row>
      </Row>
    </Panel>
  );
}
