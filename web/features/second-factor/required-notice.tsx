import { factorEndpoints } from "#contract/factors.ts";
import { paths } from "../../lib/paths.ts";
import { useCall } from "../../lib/use-call.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Panel, Row, Stack, Text } from "../../ui/layout.tsx";

/** Names of the workspaces that are hidden until the person adds a second factor. */
export function useHiddenWorkspaces(): string[] {
  const { data } = useCall(factorEndpoints.list, {});
  if (!data || data.factors.some((factor) => factor.is_confirmed)) return [];
  return data.required_by.map(({ name }) => name);
}

export function RequiredNotice({ names }: { names: string[] }) {
  return (
    <Panel>
      <Row gap={4} justify="between">
        <Stack gap={1} grow="16rem">
          <Text strong>{new Intl.ListFormat("en").format(names)}: two-factor authentication required</Text>
          <Text tone="muted">Turn it on to open {names.length === 1 ? "this workspace" : "these workspaces"}.</Text>
        </Stack>
        <ButtonLink to={paths.security} variant="primary">
          Set it up
        </ButtonLink>
      </Row>
    </Panel>
  );
}
