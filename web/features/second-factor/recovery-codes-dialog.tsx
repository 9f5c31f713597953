import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { Grid, Row, Stack } from "../../ui/layout.tsx";

/** Shows new codes; they can't be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Dialog
      open
      title="Save your recovery codes"
      width="32rem"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          I've saved them
        </Button>
      }
    >
      <Stack>
        <p>Each code signs you in once if you lose your authenticator app. We only store hashes, so we can't show them again.</p>
        <Grid as="ul" role="list" min="12rem" gap={2} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </Grid>
        <Row gap={3}>
          <CopyButton text={text} label="the recovery codes" />
          <DownloadButton
            size="small"
            variant="quiet"
            failure="Couldn't save the file"
            file={() => Promise.resolve(new File([text], "tidings-recovery-codes.txt", { type: "text/plain" }))}
          >
            Download
          </DownloadButton>
        </Row>
      </Stack>
    </Dialog>
  );
}
