import { useId } from "react";
import type { Tag } from "#contract/tags.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Grid, Text } from "../../ui/layout.tsx";

interface TagChoiceProps {
  tags: readonly Tag[];
  /** Tag keys; empty: all posts. */
  chosen: readonly string[];
  onChange: (keys: readonly string[]) => void;
}

export function TagChoice({ tags, chosen, onChange }: TagChoiceProps) {
  const id = useId();
  const deletedTags = chosen.filter((key) => !tags.some((tag) => tag.key === key)).map((key) => ({ key, label: key }));
  return (
    <Grid as="fieldset" min="15rem" gap={2} aria-describedby={id}>
      <legend>Filter by tags</legend>
      <Text id={id} size="small" tone="muted" style={{ gridColumn: "1 / -1" }}>
        Leave all unchecked to send every post.
      </Text>
      {[...tags, ...deletedTags].map(({ key, label }) => (
        <Checkbox
          key={key}
          label={label}
          checked={chosen.includes(key)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
        />
      ))}
    </Grid>
  );
}
