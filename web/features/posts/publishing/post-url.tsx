import { useEffect, useId, useRef, useState } from "react";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Row, Text } from "../../../ui/layout.tsx";

interface PostUrlProps {
  /** Without a scheme. */
  page: string;
  slug: string;
  /** The post was published at its present URL. */
  redirects: boolean;
  problem: string | null;
  onChange(slug: string): void;
}

/** The post's URL; its slug can be edited in place. */
export function PostUrl({ page, slug, redirects, problem, onChange }: PostUrlProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  useEffect(() => {
    if (isEditing) input.current?.focus();
  }, [isEditing, problem]);

  return (
    <div>
      <dt>
        <Icon name="link" /> URL
      </dt>
      <dd>
        {isEditing ? (
          <FieldFrame
            id={id}
            label="Post URL, after /releases/"
            error={problem ?? undefined}
            hint={redirects ? "Existing links will redirect to the new URL." : undefined}
          >
            <Input
              ref={input}
              id={id}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-invalid={problem !== null}
              aria-describedby={problem === null ? undefined : `${id}-error`}
              value={slug}
              onChange={({ target }) => onChange(target.value)}
            />
          </FieldFrame>
        ) : (
          <Row nowrap justify="between">
            <Text as="span">
              {page}/<wbr />
              <strong>{slug}</strong>
            </Text>
            <IconButton icon="pencil" label="Edit URL" onClick={() => setIsEditing(true)} />
          </Row>
        )}
      </dd>
    </div>
  );
}
