import type { Block } from "../blocks/block-types.ts";
import type { CoverImage } from "./cover.ts";
import { lineOf } from "./line-of.ts";
import { noDetails, type PostDetails } from "./post-details.ts";

/** The versioned fields of a post besides its blocks. */
export interface PostFields {
  title: string;
  summary: string;
  tags: readonly string[];
  cover_image: CoverImage;
  details: PostDetails;
}

export interface PostContent extends PostFields {
  blocks: readonly Block[];
}

export type FieldName = keyof PostFields;

/** Normalised, so that differences in spelling only, such as spaces, count as unchanged. */
const normalised: { readonly [Name in FieldName]: (value: PostFields[Name]) => unknown } = {
  title: (title) => title.trim(),
  summary: lineOf,
  tags: (tags) => tags,
  cover_image: (cover) => (cover === null || cover === "none" ? cover : [cover.url, lineOf(cover.alt), cover.width, cover.height]),
  details: (details) => Object.values({ ...noDetails, ...details }),
};
export const fieldNames = Object.keys(normalised) as FieldName[];

export const emptyFields: PostFields = { title: "", summary: "", tags: [], cover_image: null, details: noDetails };

export type StoredFields = Omit<PostFields, "summary"> & { summary: string | null };

export const fieldsOf = ({ title, summary, tags, cover_image, details }: StoredFields): PostFields => ({
  title,
  summary: summary ?? "",
  tags,
  cover_image,
  details,
});

export function isSameField<Name extends FieldName>(name: Name, one: PostFields, other: PostFields): boolean {
  const key = (fields: PostFields): string => JSON.stringify(normalised[name](fields[name]));
  return key(one) === key(other);
}

export const changedFields = (one: PostFields, other: PostFields): FieldName[] =>
  fieldNames.filter((name) => !isSameField(name, one, other));

export const pickFields = <Fields extends Record<FieldName, unknown>>(fields: Fields, names: readonly FieldName[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Pick<Fields, FieldName>>;

/** Takes the values of `newer` that `mine` hasn't changed since `base`. Values that differ in spelling only stay as typed. */
export function takeUnchanged(mine: PostFields, base: PostFields, newer: PostFields): void {
  const names = fieldNames.filter((name) => isSameField(name, mine, base) && !isSameField(name, mine, newer));
  Object.assign(mine, pickFields(newer, names));
}

/** As the API takes them. */
export const fieldsBody = ({ title, summary, tags, cover_image, details }: PostFields) => ({
  title,
  summary: lineOf(summary) || null,
  tags: [...tags],
  cover_image,
  details,
});
