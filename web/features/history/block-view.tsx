import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { type Block, typeOf } from "#contract/blocks/block-types.ts";
import { type HtmlNode, htmlTree } from "#contract/blocks/html-tree.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./history.module.css";

export function BlockView({ block, className }: { block: Block; className?: string }) {
  return <ComparedHtml html={typeOf(block).html(block.data, { base: "", page: false })} className={className} />;
}

/** Compared HTML with `<ins>` and `<del>` (contract/merge/compare.ts). Only allowed elements are created. */
export function ComparedHtml({ html, className }: { html: string; className?: string }) {
  const nodes = useMemo(() => htmlTree(html).map(render), [html]);
  return <div className={classNames(css.view, className)}>{nodes}</div>;
}

/** Paragraphs instead of headings, to keep the page's outline. */
const headings: Record<string, string | undefined> = { h2: css.large, h3: css.medium, h4: css.small };
const plain = new Set(
  "p ul ol li figure figcaption img blockquote hr table thead tbody tr th td div pre code b i u s em strong mark br a span ins del".split(
    " ",
  ),
);
const attributes: Record<string, string> = {
  tabindex: "tabIndex",
  src: "src",
  alt: "alt",
  width: "width",
  height: "height",
  start: "start",
  type: "type",
  scope: "scope",
  role: "role",
  "aria-label": "aria-label",
};

function render(node: HtmlNode, key: number): ReactNode {
  if (typeof node === "string") return node;
  const [tag, values, ...children] = node;
  const inner = children.length === 0 ? undefined : children.map(render);
  if (Object.hasOwn(headings, tag)) return createElement("p", { key, className: headings[tag] }, inner);
  if (!plain.has(tag)) return createElement(Fragment, { key }, inner);
  const props: Record<string, unknown> = { key };
  for (const [name, value] of Object.entries(values)) if (Object.hasOwn(attributes, name)) props[attributes[name]!] = value;
  if (tag === "a") Object.assign(props, { href: values["href"], target: "_blank", rel: "noopener noreferrer" });
  if (tag === "img") Object.assign(props, { loading: "lazy", referrerPolicy: "no-referrer" });
  return createElement(tag, props, inner);
}
