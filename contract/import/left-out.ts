/** That pages of a site are no posts, as every source with pages says it. */
export const pagesNote = (count: number): string[] => {
  if (count === 0) return [];
  return [count === 1 ? "A page of the site is left out: it is no post" : `${count} pages of the site are left out: they are no posts`];
};
