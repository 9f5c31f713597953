/** What posts carry of a tag: its name in small letters with hyphens for blanks. The database makes keys the same way (private.tag_key). Source: specification, section 3. */
export const tagKey = (label: string): string => label.trim().toLowerCase().replace(/\s+/g, "-");
