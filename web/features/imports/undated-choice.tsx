import { useState } from "react";
import { importEndpoints } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { DayField } from "../../components/day-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useLatest } from "../../lib/use-latest.ts";
import { postCount } from "../posts/tags/tags.ts";
import type { Found } from "./found.ts";
import { askingWords } from "./source-words.ts";
import { type GivenDates, releaseDates, repositoryOf, spreadDates, undatedPlaces } from "./undated.ts";
import type { Importer } from "./use-importer.ts";
import css from "./undated-choice.module.css";

const choices = [
  { value: "drafts", label: "Keep as drafts" },
  { value: "github", label: "From GitHub releases" },
  { value: "day", label: "One date" },
  { value: "period", label: "A period" },
] as const;
type Way = (typeof choices)[number]["value"];

const form = importEndpoints.source.body!.pick({ address: true, key: true });
const { address, key } = askingWords.github;

interface UndatedChoiceProps {
  found: Found;
  importer: Importer;
}

/** Where posts without a date get one. Shown only if there are such posts. */
export function UndatedChoice({ found, importer }: UndatedChoiceProps) {
  const [way, setWay] = useState<Way>("drafts");
  const latestWay = useLatest(way);
  const [days, setDays] = useState({ from: "", to: "" });
  const [repositoryValues] = useState(() => ({ address: repositoryOf(found.name, found.posts), key: "" }));
  const places = undatedPlaces(found.posts);
  if (places.length === 0) return null;

  const give = (given: GivenDates) => importer.dispatch({ type: "dated", given });
  const today = new Date().toISOString().slice(0, 10);
  const isDay = (day: string): boolean => day >= "1970-01-01" && day <= today;
  const isWrong = (day: string): boolean => day !== "" && !isDay(day);
  const tooEarly = days.from !== "" && days.to !== "" && days.to < days.from;
  const spread = (next: typeof days) => {
    setDays(next);
    give(isDay(next.from) && isDay(next.to) && next.from <= next.to ? spreadDates(found.posts, next.from, next.to, new Date()) : new Map());
  };
  const dated = places.filter((place) => found.posts[place]!.post.status === "published").length;

  return (
    <div className={css.undated}>
      <ChoiceGroup
        legend={`${postCount(places.length)} without a date`}
        choices={found.source === "changelog" ? choices : choices.filter(({ value }) => value !== "github")}
        value={way}
        onChange={(value) => {
          setWay(value);
          setDays({ from: "", to: "" });
          give(new Map());
        }}
      />
      {way === "github" && (
        <ContractForm
          schema={form}
          initialValues={repositoryValues}
          failure="Couldn’t read the releases. Try again."
          onSubmit={async (question) => {
            const releases = await importer.askReleases(question);
            if (latestWay.current === "github") give(releaseDates(found.posts, releases));
          }}
        >
          {({ submitting }) => (
            <>
              <TextField name="address" label={address!.label} placeholder={address!.placeholder} autoComplete="off" maxLength={2_048} />
              <TextField name="key" label={key!.label} type="password" hint={key!.hint} optional autoComplete="off" maxLength={500} />
              <div>
                <Button type="submit" busy={submitting}>
                  Get dates
                </Button>
              </div>
            </>
          )}
        </ContractForm>
      )}
      {way === "day" && (
        <div className={css.days}>
          <DayField
            label="Date"
            value={days.to}
            max={today}
            error={isWrong(days.to) ? "Enter a date from 1970 until today" : undefined}
            onChange={(day) => spread({ from: day, to: day })}
          />
        </div>
      )}
      {way === "period" && (
        <div className={css.days}>
          <DayField
            label="Oldest post"
            value={days.from}
            max={today}
            error={isWrong(days.from) ? "Enter a date from 1970 until today" : undefined}
            onChange={(from) => spread({ ...days, from })}
          />
          <DayField
            label="Newest post"
            value={days.to}
            max={today}
            error={isWrong(days.to) ? "Enter a date from 1970 until today" : tooEarly ? "Enter a date after the oldest post’s" : undefined}
            onChange={(to) => spread({ ...days, to })}
          />
        </div>
      )}
      <p role="status" className={css.muted}>
        {dated === 0
          ? "Posts without a date come as drafts."
          : dated === places.length
            ? "Each of them has a date now."
            : `${dated.toLocaleString()} of ${places.length.toLocaleString()} have a date now. The others come as drafts.`}
      </p>
    </div>
  );
}
