import { useId, useState } from "react";
import { Button } from "../../components/button.tsx";
import { useConfig } from "../../lib/config.ts";
import { reloadPage } from "../../lib/reload-page.ts";
import { startAnalytics } from "./analytics.ts";
import { readConsent, writeConsent } from "./consent.ts";
import { closeConsent } from "./consent-popup.ts";
import { useBottomBar } from "./use-bottom-bar.ts";
import css from "./cookie-consent.module.css";

/** The question at the bottom: nothing but necessary cookies before 'Allow cookies'. Source: specification, section 2. */
export function CookieConsent() {
  const id = useId();
  const bar = useBottomBar();
  const [more, setMore] = useState(false);

  function allow() {
    writeConsent("allow");
    closeConsent();
    void startAnalytics();
  }
  function refuse() {
    writeConsent("deny");
    closeConsent();
    reloadPage(); // what was loaded with consent is gone with the page
  }
  function gotIt() {
    if (readConsent() === null) writeConsent("dismiss"); // who only looks again keeps what was chosen
    closeConsent();
  }

  return (
    <section ref={bar} className={css.bar} aria-label="Cookie consent">
      <div className={css.words}>
        <p>
          This website uses cookies to ensure you get the best experience.{" "}
          <button
            type="button"
            className={css.more}
            aria-expanded={more}
            aria-controls={more ? id : undefined}
            onClick={() => setMore(!more)}
          >
            Learn more
          </button>
        </p>
        {more && <Details id={id} />}
      </div>
      <div className={css.buttons}>
        <Button variant="quiet" size="small" onClick={gotIt}>
          Got it!
        </Button>
        <Button size="small" onClick={refuse}>
          Refuse cookies
        </Button>
        <Button size="small" onClick={allow}>
          Allow cookies
        </Button>
      </div>
    </section>
  );
}

function Details({ id }: { id: string }) {
  const analytics = useConfig()?.analyticsSrc;
  return (
    <div id={id} className={css.details}>
      <p>Some are necessary: they keep you signed in and remember this choice. Nobody else reads them.</p>
      <p>
        If you allow cookies, {analytics ? <>a script from {new URL(analytics, location.origin).host}</> : "an analytics script"} may count
        how Tidings is used. “Got it!” and “Refuse cookies” leave it out. You can change your mind at any time in your settings.
      </p>
    </div>
  );
}
