import { encode } from "uqr";
import type { z } from "zod";
import { factorCodeInput, factorEndpoints } from "#contract/factors.ts";
import { call } from "../../lib/api-client.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { CodeField } from "./code-form.tsx";

export type NewFactor = z.infer<typeof factorEndpoints.add.response>["factor"];

interface AddFactorDialogProps {
  factor: NewFactor;
  /** With recovery codes to save, if there are new ones. */
  onAdded: (recoveryCodes: string[]) => Promise<void>;
  onClose: () => void;
}

export function AddFactorDialog({ factor, onAdded, onClose }: AddFactorDialogProps) {
  return (
    <FormDialog
      title="Add authenticator app"
      width="34rem"
      verb="Turn on"
      schema={factorCodeInput}
      failure="Couldn't add the app. Try again later."
      onSubmit={async (body) => onAdded((await call(factorEndpoints.verify, { params: { factorId: factor.id }, body })).recovery_codes)}
      onClose={onClose}
    >
      <Row gap={4} align="start">
        <QrCode text={factor.uri} />
        <Stack gap={3} grow="14rem">
          <p>Scan this code with an authenticator app, such as 1Password, Google Authenticator or Aegis. Or type the key:</p>
          <Row gap={2} justify="between">
            <code style={{ overflowWrap: "anywhere" }}>{factor.secret.replace(/.{4}(?=.)/g, "$& ")}</code>
            <CopyButton text={factor.secret} label="the key" />
          </Row>
        </Stack>
      </Row>
      <p>Then enter the six digits that the app shows.</p>
      <CodeField />
    </FormDialog>
  );
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="176" height="176" role="img" aria-label="QR code" shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
