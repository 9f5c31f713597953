import { styleOf } from "../pages/style.ts";

/** What only previews need, beside the style sheet of all pages: those stay as small as they are. */
export const previewStyle = styleOf(`
.draft { padding: .625rem 1.5rem; background: var(--orange-ground); color: var(--orange); font-size: .875rem; line-height: 1.25rem; text-align: center; text-wrap: balance; }
.draft p { unicode-bidi: plaintext; }
.draft strong { font-weight: 650; }
`);
