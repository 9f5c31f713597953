/** /widget.json: the release's files with their integrity values, made by the widget's build. */
export interface WidgetBuild {
  script: { file: string; integrity: string };
}

export interface Snippet {
  form: "script" | "integrity" | "react" | "next" | "gtm" | "headway";
  label: string;
  /** Where it goes, in one sentence. */
  note: string;
  code: string;
}

interface Place {
  /** Where Tidings runs, e.g. https://tidings.example. */
  origin: string;
  subdomain: string;
  /** Without it the form with Subresource Integrity is left out. */
  build: WidgetBuild | undefined;
}

/** The ways to put a workspace's widget on a site. */
export function snippets({ origin, subdomain, build }: Place): Snippet[] {
  const src = `${origin}/widget.js`;
  return [
    {
      form: "script",
      label: "Script",
      note: "Paste it anywhere in your page, best right before </body>.",
      code: `<script async src="${src}" data-workspace="${subdomain}"></script>`,
    },
    ...(build ? [withIntegrity(origin, subdomain, build)] : []),
    { form: "react", label: "React", note: "Render it once, near the root of your app.", code: react(src, subdomain) },
    { form: "next", label: "Next.js", note: "Render it once, in app/layout.tsx.", code: next(src, subdomain) },
    {
      form: "gtm",
      label: "Tag Manager",
      note: "A Custom HTML tag in Google Tag Manager, triggered on all pages. A plain script tag would lose its data-workspace there.",
      code: tagManager(src, subdomain),
    },
    {
      form: "headway",
      label: "From Headway",
      note: "On a page with Headway's snippet, put this line in place of Headway's script tag. Its HW_config stays as it is.",
      code: `<script async src="${origin}/widget-headway.js?workspace=${subdomain}"></script>`,
    },
  ];
}

const withIntegrity = (origin: string, subdomain: string, { script }: WidgetBuild): Snippet => ({
  form: "integrity",
  label: "With integrity",
  note: "Subresource Integrity: browsers run exactly this release and nothing else. Come back for a new snippet to get later ones.",
  code: `<script
  async
  src="${origin}${script.file}"
  integrity="${script.integrity}"
  crossorigin="anonymous"
  data-workspace="${subdomain}"
></script>`,
});

const react = (src: string, subdomain: string): string => `import { useEffect } from "react";

export function TidingsWidget() {
  useEffect(() => {
    const script = document.createElement("script");
    script.async = true;
    script.src = "${src}";
    script.dataset.workspace = "${subdomain}";
    document.head.append(script);
    return () => {
      script.remove();
      script.removeAttribute("data-workspace"); // it may be on its way still
      window.Tidings?.destroy?.("${subdomain}");
    };
  }, []);
  return null;
}`;

const next = (src: string, subdomain: string): string => `import Script from "next/script";

export function TidingsWidget() {
  return <Script src="${src}" data-workspace="${subdomain}" strategy="lazyOnload" />;
}`;

const tagManager = (src: string, subdomain: string): string => `<script>
  (function () {
    var script = document.createElement("script");
    script.async = true;
    script.src = "${src}";
    script.setAttribute("data-workspace", "${subdomain}");
    document.head.appendChild(script);
  })();
</script>`;
