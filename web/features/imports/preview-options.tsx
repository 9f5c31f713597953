import { useId, useMemo, useState } from "react";
import { z } from "zod";
import { importEndpoints } from "#contract/imports.ts";
import type { Tag } from "#contract/tags.ts";
import { website } from "#contract/workspaces.ts";
import { newTagLabel, sourceTags, type TagMapping, type TagTarget } from "#importers/preview/tag-mapping.ts";
import { type GivenDates, releaseDates, repositoryOf, spreadDates, undatedPlaces } from "#importers/preview/undated.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { DayField } from "../../ui/day-field.tsx";
import { Grid, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLatest } from "../../lib/use-latest.ts";
import { postCount } from "../posts/tags/tags.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import type { Dates, ImportSourceContent, SourcePost, Preview } from "./preview.ts";
import { questionLabels } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";

const dateChoices = [
  { value: "original", label: "With their original dates" },
  { value: "drafts", label: "As drafts" },
] as const;

const dateNotes: Readonly<Record<Dates, string>> = {
  original: "Posts keep their original dates. No emails or widget badges are triggered.",
  drafts: "Readers see them once you publish them. Existing posts keep their status.",
};

interface PreviewOptionsProps {
  preview: Preview;
  importer: Importer;
  workspaceId: string;
}

export function PreviewOptions({ preview: { found, tags, dates }, importer, workspaceId }: PreviewOptionsProps) {
  const { dispatch } = importer;
  return (
    <>
      {found.wantsAddress && <SiteForm onSubmit={importer.readAt} />}
      <Grid min="20rem" gap={6}>
        <Stack gap={2}>
          <ChoiceGroup
            legend="Published"
            choices={dateChoices}
            value={dates}
            onChange={(value) => dispatch({ type: "dates", dates: value })}
          />
          <Note>{dateNotes[dates]}</Note>
          <div hidden={dates !== "original"}>
            <UndatedChoice found={found} importer={importer} />
          </div>
        </Stack>
        <TagMap
          workspaceId={workspaceId}
          posts={found.posts}
          tags={tags}
          onTarget={(name, target) => dispatch({ type: "tag", name, target })}
        />
      </Grid>
    </>
  );
}

const siteForm = z.object({ address: website });

/** Site URL, needed for images and old URLs. */
function SiteForm({ onSubmit }: { onSubmit: (address: string) => void }) {
  return (
    <ContractForm schema={siteForm} failure="Couldn't read this. Please try again." onSubmit={async ({ address }) => onSubmit(address)}>
      <FieldWithButton>
        <TextField name="address" label="Site URL" placeholder="blog.example.com" autoComplete="off" maxLength={2_048} />
        <SubmitButton>Read again</SubmitButton>
      </FieldWithButton>
    </ContractForm>
  );
}

const waysToDate = [
  { value: "drafts", label: "Keep as drafts" },
  { value: "github", label: "From GitHub releases" },
  { value: "day", label: "One date" },
  { value: "period", label: "A period" },
] as const;
type Way = (typeof waysToDate)[number]["value"];

interface UndatedChoiceProps {
  found: ImportSourceContent;
  importer: Importer;
}

/** Dates for undated posts. */
function UndatedChoice({ found, importer }: UndatedChoiceProps) {
  const [way, setWay] = useState<Way>("drafts");
  const latestWay = useLatest(way);
  const places = undatedPlaces(found.posts);
  if (places.length === 0) return null;
  const give = (dates: GivenDates) => importer.dispatch({ type: "dated", given: dates });
  const dated = places.filter((place) => found.posts[place]!.post.status === "published").length;
  return (
    <Stack gap={2}>
      <ChoiceGroup
        legend={`${postCount(places.length)} without a date`}
        choices={found.source === "changelog" ? waysToDate : waysToDate.filter(({ value }) => value !== "github")}
        value={way}
        onChange={(value) => {
          setWay(value);
          give(new Map());
        }}
      />
      {way === "github" && (
        <ReleasesForm
          found={found}
          onSubmit={async (question) => {
            const releases = await importer.askReleases(question);
            if (latestWay.current === "github") give(releaseDates(found.posts, releases));
          }}
        />
      )}
      {(way === "day" || way === "period") && <DayFields key={way} way={way} posts={found.posts} onDates={give} />}
      <Text role="status" size="small" tone="muted">
        {dated === 0
          ? "Posts without a date are imported as drafts."
          : dated === places.length
            ? "All of them now have a date."
            : `${dated.toLocaleString()} of ${places.length.toLocaleString()} now have a date. The others are imported as drafts.`}
      </Text>
    </Stack>
  );
}

const releasesForm = importEndpoints.source.body!.pick({ address: true, key: true });
const { address, key } = questionLabels.github;

interface ReleasesFormProps {
  found: ImportSourceContent;
  onSubmit: (question: z.output<typeof releasesForm>) => Promise<void>;
}

function ReleasesForm({ found, onSubmit }: ReleasesFormProps) {
  const [initialValues] = useState(() => ({ address: repositoryOf(found.name, found.posts), key: "" }));
  return (
    <ContractForm schema={releasesForm} initialValues={initialValues} failure="Couldn’t read the releases. Try again." onSubmit={onSubmit}>
      <TextField name="address" label={address!.label} placeholder={address!.placeholder} autoComplete="off" maxLength={2_048} />
      <TextField name="key" label={key!.label} type="password" hint={key!.hint} optional autoComplete="off" maxLength={500} />
      <SubmitButton>Get dates</SubmitButton>
    </ContractForm>
  );
}

interface DayFieldsProps {
  way: "day" | "period";
  posts: readonly SourcePost[];
  onDates: (dates: GivenDates) => void;
}

/** One date, or a period to spread posts over. */
function DayFields({ way, posts, onDates }: DayFieldsProps) {
  const [days, setDays] = useState({ from: "", to: "" });
  const today = new Date().toISOString().slice(0, 10);
  const isDay = (day: string): boolean => day >= "1970-01-01" && day <= today;
  const errorOf = (day: string) => (day !== "" && !isDay(day) ? "Enter a date from 1970 until today" : undefined);
  const tooEarly = days.from !== "" && days.to !== "" && days.to < days.from;
  const spread = (next: typeof days) => {
    setDays(next);
    onDates(isDay(next.from) && isDay(next.to) && next.from <= next.to ? spreadDates(posts, next.from, next.to, new Date()) : new Map());
  };
  return (
    <Row gap={3} align="start">
      {way === "day" ? (
        <DayField label="Date" value={days.to} max={today} error={errorOf(days.to)} onChange={(day) => spread({ from: day, to: day })} />
      ) : (
        <>
          <DayField
            label="Oldest post"
            value={days.from}
            max={today}
            error={errorOf(days.from)}
            onChange={(from) => spread({ ...days, from })}
          />
          <DayField
            label="Newest post"
            value={days.to}
            max={today}
            error={errorOf(days.to) ?? (tooEarly ? "Enter a date after the oldest post’s" : undefined)}
            onChange={(to) => spread({ ...days, to })}
          />
        </>
      )}
    </Row>
  );
}

interface TagMapProps {
  workspaceId: string;
  posts: readonly SourcePost[];
  tags: TagMapping;
  onTarget: (name: string, target: TagTarget) => void;
}

/** Folded above this number. */
const maxOpen = 6;

/** Mapping of source tags. */
function TagMap({ workspaceId, posts, tags, onTarget }: TagMapProps) {
  const { tags: here } = useTags(workspaceId);
  const names = useMemo(() => sourceTags(posts), [posts]);
  if (names.length === 0) return null;
  const kinds = [...tags.values()].map(({ kind }) => kind);
  const counts = [
    [kinds.filter((kind) => kind === "key").length, "existing"],
    [kinds.filter((kind) => kind === "new").length, "new"],
    [kinds.filter((kind) => kind === "none").length, "left out"],
  ] as const;
  return (
    <details open={names.length <= maxOpen}>
      <summary>
        <Text as="span" strong>
          Tags
        </Text>{" "}
        <Note as="span">
          {counts
            .filter(([count]) => count > 0)
            .map(([count, words]) => `${count.toLocaleString()} ${words}`)
            .join(", ")}
        </Note>
      </summary>
      <Stack
        as="ul"
        role="list"
        gap={2}
        style={{ maxHeight: "18rem", padding: 2, overflowY: "auto" }} // the padding is for the focus ring
        aria-label="Tags of the source"
      >
        {names.map(([name, count]) => (
          <TagLine key={name} name={name} count={count} here={here} target={tags.get(name)} onTarget={onTarget} />
        ))}
      </Stack>
    </details>
  );
}

interface TagLineProps extends Pick<TagMapProps, "onTarget"> {
  name: string;
  count: number;
  here: readonly Tag[];
  target: TagTarget | undefined;
}

function TagLine({ name, count, here, target, onTarget }: TagLineProps) {
  const id = useId();
  const value = target?.kind === "key" ? `key ${target.key}` : (target?.kind ?? "none");
  const chosen = (choice: string): TagTarget => {
    if (choice === "new" || choice === "none") return { kind: choice };
    return { kind: "key", key: choice.slice(4) };
  };
  return (
    <Row as="li" gap={3} nowrap>
      <Text as="label" grow htmlFor={id}>
        {name} <Note as="span">{count.toLocaleString()}×</Note>
      </Text>
      <Select
        id={id}
        value={value}
        options={[
          ...here.map(({ key, label }) => [`key ${key}`, label] as const),
          ["new", `New tag “${newTagLabel(name)}”`],
          ["none", "Leave out"],
        ]}
        onChange={(choice) => onTarget(name, chosen(choice))}
        style={{ flex: 1, minWidth: 0 }}
      />
    </Row>
  );
}
