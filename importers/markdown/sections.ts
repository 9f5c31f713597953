import { type Heading, plainWords } from "./lines.ts";

const sections =
  /^(?:added|changed|deprecated|removed|fixed|security|(?:exciting )?(?:new )?features?|new|bug ?fix(?:es)?|fix(?:es)?|improve(?:d|ments?)|enhancements?|performance(?: improvements)?|documentation|docs|breaking(?: changes?)?|(?:major|minor|patch|notable|other) changes|what[’']?s changed|new contributors|(?:updated )?dependencies|maintenance|chores?|refactor(?:ing)?s?|reverts?|highlights)$/i;

const nameOf = ({ text }: Heading): string =>
  plainWords(text)
    .replace(/:[a-z_\d+-]+:/g, "")
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");

export const isSection = (heading: Heading): boolean => sections.test(nameOf(heading));

export const sectionTags = (headings: readonly Heading[]): string[] => [...new Set(headings.filter(isSection).map(nameOf))];
