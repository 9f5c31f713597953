import { figure } from "#contract/rules/figure.ts";

/** A kind of what is left out with its count, as `ReadSource.leftOut` has it: `2 sections`; none of none. */
export const countLeftOut = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${figure(count)} ${count === 1 ? one : many}`];

/** That pages of a site are no posts, as every source with pages says it. */
export const pagesNote = (count: number): string[] => {
  if (count === 0) return [];
  return [count === 1 ? "A page of the site is left out: it is no post" : `${count} pages of the site are left out: they are no posts`];
};
