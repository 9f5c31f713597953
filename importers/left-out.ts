import { figure } from "#contract/rules/figure.ts";

export const countLeftOut = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${figure(count)} ${count === 1 ? one : many}`];

export const pagesNote = (count: number): string[] => {
  if (count === 0) return [];
  return [count === 1 ? "A page of the site was skipped: it isn't a post" : `${count} pages of the site were skipped: they aren't posts`];
};
