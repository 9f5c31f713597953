/** The first image of an article is most likely what a reader sees first: it is not waited for. `html` is what contract/blocks makes. */
export const firstImageAtOnce = (html: string): string => html.replace(/(<img [^>]*?) loading="lazy"/, '$1 fetchpriority="high"');
