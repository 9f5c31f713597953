/** /widget.json: release files with integrity values. */
export interface WidgetBuild {
  script: { file: string; integrity: string };
}

export interface Snippet {
  form: "script" | "integrity" | "react" | "next" | "gtm" | "headway";
  label: string;
  /** Instructions. */
  note: string;
  code: string;
}

interface Place {
  /** E.g. https://tidings.example. */
  origin: string;
  subdomain: string;
  /** Without it the SRI snippet is omitted. */
  build: WidgetBuild | undefined;
}

export function snippets({ origin, subdomain, build }: Place): Snippet[] {
  const src = `${origin}/widget.js`;
  return [
    {
      form: "script",
      label: "Script",
      note: "Paste it into your page, ideally right before </body>.",
      code: `<script async src="${src}" data-workspace="${subdomain}"></script>`,
    },
    ...(build ? [withIntegrity(origin, subdomain, build)] : []),
    { form: "react", label: "React", note: "Render it once, near the root of your app.", code: react(src, subdomain) },
    { form: "next", label: "Next.js", note: "Render it once, in app/layout.tsx.", code: next(src, subdomain) },
    {
      form: "gtm",
      label: "Tag Manager",
      note: "Add a Custom HTML tag in Google Tag Manager, triggered on all pages. Plain script tags lose data-workspace there.",
      code: tagManager(src, subdomain),
    },
    {
      form: "headway",
      label: "Migrate from Headway",
      note: "Replace Headway's script tag with this line. Keep HW_config as it is.",
      code: `<script async src="${origin}/widget-headway.js?workspace=${subdomain}"></script>`,
    },
  ];
}

const withIntegrity = (origin: string, subdomain: string, { script }: WidgetBuild): Snippet => ({
  form: "integrity",
  label: "Script with SRI",
  note: "Subresource Integrity: browsers only run this exact release. Copy a new snippet to update.",
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
      script.removeAttribute("data-workspace"); // in case it is still loading
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
