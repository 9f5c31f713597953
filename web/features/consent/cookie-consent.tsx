import { Suspense, useId, useState, useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { reloadPage } from "../../lib/reload-page.ts";
import { readConsent, writeConsent } from "./consent.ts";
import { closeConsent } from "./consent-popup.ts";
import { Row } from "../../ui/layout.tsx";
import css from "./cookie-consent.module.css";
import { lazyPart } from "../../ui/lazy-part.tsx";

const CookieDetails = lazyPart(() => import("./cookie-details.tsx"), "CookieDetails");

/** Only necessary cookies before 'Allow cookies'. Source: specification, section 2. */
export function CookieConsent({ onAllow }: { onAllow: () => void }) {
  const id = useId();
  const bar = useBottomBar();
  const [more, setMore] = useState(false);

  function allow() {
    writeConsent("allow");
    closeConsent();
    onAllow();
  }
  function refuse() {
    writeConsent("deny");
    closeConsent();
    reloadPage(); // unloads scripts that needed consent
  }
  function gotIt() {
    if (readConsent() === null) writeConsent("dismiss"); // reopening keeps an earlier choice
    closeConsent();
  }

  return (
    <section ref={bar} className={css.bar} aria-label="Cookie consent">
      <div style={{ maxWidth: "40rem" }}>
        <p>
          This website uses cookies to ensure you get the best experience.{" "}
          <Button variant="link" aria-expanded={more} aria-controls={id} onClick={() => setMore(!more)}>
            Learn more
          </Button>
        </p>
        <div id={id}>
          <Suspense>{more && <CookieDetails />}</Suspense>
        </div>
      </div>
      <Row>
        <Button variant="quiet" size="small" onClick={gotIt}>
          Got it!
        </Button>
        <Button size="small" onClick={refuse}>
          Refuse cookies
        </Button>
        <Button size="small" onClick={allow}>
          Allow cookies
        </Button>
      </Row>
    </section>
  );
}

/** Sets `--bottom-bar` to the bar's height, so that it covers nothing. */
function useBottomBar() {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = document.documentElement.style;
    const element = bar.current;
    if (!element) return;
    const observer = new ResizeObserver(() => root.setProperty("--bottom-bar", `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty("--bottom-bar");
    };
  }, []);
  return bar;
}
