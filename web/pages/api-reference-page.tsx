import useSWRImmutable from "swr/immutable";
import { Failure } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Logo } from "../ui/logo.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { Suspense } from "react";
import type { Description } from "../features/api-reference/description.ts";
import { Stack } from "../ui/layout.tsx";
import { Masthead, Page } from "../ui/page.tsx";

const ApiReference = lazyPart(() => import("../features/api-reference/api-reference.tsx"), "ApiReference", { inPlace: true });

const address = "/api/v1/openapi.json";

async function fetchDescription(): Promise<Description> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`openapi.json returned ${response.status}`);
  return (await response.json()) as Description;
}

/** Renders the server's OpenAPI description of the public API. */
export function Component() {
  const { data, error, mutate } = useSWRImmutable<Description, Error>(address, fetchDescription);
  const waiting = (
    <Loading label="Loading the reference">
      <Stack>
        {Array.from({ length: 8 }, (_, place) => (
          <Skeleton key={place} height="2.75rem" />
        ))}
      </Stack>
    </Loading>
  );
  return (
    <>
      <Masthead line={false}>
        <Logo />
        <a href={address}>OpenAPI 3.1</a>
      </Masthead>
      <Page width="var(--page)">
        <PageTitle title="API reference" />
        {error ? (
          <Failure title="Couldn't load the API reference" text="Check your connection, then try again." onRetry={() => void mutate()} />
        ) : data ? (
          <Suspense fallback={waiting}>
            <ApiReference description={data} />
          </Suspense>
        ) : (
          waiting
        )}
      </Page>
    </>
  );
}
