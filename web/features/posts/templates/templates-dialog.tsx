import { useState } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import type { TemplateSummary } from "#contract/templates.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { relativeTimeRefreshMs } from "../../../lib/timings.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useTemplates } from "./template-calls.ts";
import { TemplateRow } from "./template-row.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./templates.module.css";

interface TemplateListProps {
  workspaceId: string;
  onChoose(template: TemplateSummary): void;
}

export function TemplatesDialog({ onClose, ...list }: TemplateListProps & { onClose(): void }) {
  return (
    <Dialog open title="New post from template" width="36rem" onClose={onClose}>
      <TemplateList {...list} />
    </Dialog>
  );
}

export function TemplateList({ workspaceId, onChoose }: TemplateListProps) {
  const { templates, error, reload, rename, remove } = useTemplates(workspaceId);
  const [open, setOpen] = useState<string | null>(null);
  const now = useNow(relativeTimeRefreshMs);
  return (
    <div>
      {!templates && error && <Failure title="Couldn't load templates" text={error.message} onRetry={() => void reload()} />}
      {!templates && !error && (
        <Loading label="Loading templates...">
          {[1, 2, 3].map((row) => (
            <Row key={row} className={css.row}>
              <Skeleton width="12rem" height="1.5rem" />
            </Row>
          ))}
        </Loading>
      )}
      {templates?.length === 0 && (
        <Text tone="muted">
          No templates yet. Open a post and choose <strong>Save as template</strong> in its menu.
        </Text>
      )}
      {templates && templates.length > 0 && (
        <Stack as="ul" gap={0} divided role="list" aria-label="Templates">
          {templates.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              updated={`${relativeTime(template.updated_at, now)}${template.updated_by_name ? ` by ${template.updated_by_name}` : ""}`}
              open={open === template.id}
              onOpen={(isOpen) => setOpen(isOpen ? template.id : null)}
              onChoose={() => onChoose(template)}
              rename={(name) => rename(template.id, name)}
              remove={() => remove(template.id)}
            />
          ))}
        </Stack>
      )}
    </div>
  );
}
