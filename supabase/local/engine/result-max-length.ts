/** Characters of JSON that one request may take out of the database: a page of an export is half as long. */
export const resultMaxLength = 4_194_304;
