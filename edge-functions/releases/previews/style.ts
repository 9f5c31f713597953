import { styleOf } from "../pages/style.ts";

export const previewStyle = styleOf(`
.draft { padding: .625rem 1.5rem; background: var(--orange-ground); color: var(--orange); font-size: .875rem; line-height: 1.25rem; text-align: center; text-wrap: balance; }
.draft p { unicode-bidi: plaintext; }
.draft strong { font-weight: 650; }
.body > .beside { height: 0; margin-top: 0; position: relative; scroll-margin-top: 10rem; }
.beside a { position: absolute; inset-inline-start: calc(100% + 1rem); bottom: 0; font-size: .8125rem; line-height: 1.875rem; white-space: nowrap; color: var(--muted); }
.beside a:hover { color: var(--accent); }
@media (hover: hover) { .beside a { opacity: 0; } .body > :hover + .beside a, .beside a:hover, .beside a:focus-visible { opacity: 1; } }
@media (max-width: 64rem) {
  .body > .beside { height: auto; text-align: end; }
  .beside a { position: static; opacity: 1; display: inline-block; line-height: 2.5rem; margin-bottom: -1rem; }
}
.said { max-width: 41rem; margin: 4.5rem auto 0; padding-inline: 1.5rem; font-size: .9375rem; line-height: 1.375rem; scroll-margin-top: 1.5rem; }
.said h2 { font: 600 1.375rem/1.875rem var(--sans); letter-spacing: -.015em; }
.said .done { margin-top: 1rem; padding: .625rem .875rem; border-radius: 6px; color: var(--green); background: var(--green-ground); }
.said article { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.said .about { color: var(--muted); overflow-wrap: anywhere; margin-bottom: .75rem; }
.said .about a { color: inherit; }
.remark + .remark { margin-top: 1rem; }
.answer { margin-inline-start: 1.5rem; }
.who { color: var(--muted); font-size: .8125rem; line-height: 1.25rem; overflow-wrap: anywhere; }
.who strong { color: var(--text); font-weight: 600; unicode-bidi: isolate; }
.words { white-space: pre-wrap; overflow-wrap: anywhere; }
.said form { display: grid; gap: .375rem; justify-items: start; margin-top: 1.5rem; padding: 1.5rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; }
.said form > p:first-child { color: var(--muted); text-wrap: pretty; }
.said label { font-weight: 500; margin-top: .625rem; }
.said :is(input:not(.trap), select, textarea) { width: 100%; min-width: 0; min-height: 2.5rem; font: 400 1rem/1.5rem var(--sans); color: var(--text); background: var(--bg); border: 1px solid var(--control); border-radius: 6px; padding: .4375rem .75rem; text-overflow: ellipsis; }
.said textarea { resize: vertical; }
.said form [aria-invalid] { border-color: var(--red); }
.said .wrong { color: var(--red); }
.said .button { margin-top: .875rem; }
`);
