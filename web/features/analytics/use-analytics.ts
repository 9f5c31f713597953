import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { analyticsEndpoints, analyticsUsualDays, type Analytics, type AnalyticsTable } from "#contract/analytics.ts";
import { type ApiError, download } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { withParams } from "../../lib/use-view-address.ts";
import { dayOf, daysBefore, lastDays, presets, type Range, readView, writeView } from "./range.ts";
import { drawn, type Drawn } from "./metric-labels.ts";

const minute = 60_000;

/** Which days are shown and what is drawn, kept in the address: it can be handed on, and Back leads back. */
export function useView() {
  const [address, setAddress] = useSearchParams();
  const today = dayOf(useNow(minute).getTime());
  const view = readView(address, today);
  const show = drawn.find((name) => name === address.get("show")) ?? "views";
  return {
    ...view,
    show,
    today,
    choose: (chosen: (typeof presets)[number] | "own") =>
      setAddress(writeView(address, chosen === "own" ? (view.range ?? lastDays(analyticsUsualDays, today)) : chosen), {
        preventScrollReset: true,
      }),
    setRange: (range: Range) => setAddress(writeView(address, range), { preventScrollReset: true }),
    draw: (name: Drawn) =>
      setAddress(withParams(address, { show: name === "views" ? undefined : name }), { replace: true, preventScrollReset: true }),
  };
}

interface Answer {
  /** Of these days, or, until they are there, of those before. */
  data: Analytics | undefined;
  /** These days are being asked for; `data` is of others. */
  stale: boolean;
  error: ApiError | undefined;
  reload: () => void;
}

/** A workspace's numbers. Null: no days, no question. */
export function useAnalytics(workspaceId: string, range: Range | null): Answer {
  const asked = range && { params: { workspaceId }, query: { from: range.from, to: range.to } };
  const { data, error, mutate } = useCall(analyticsEndpoints.read, asked, { keepPreviousData: true, revalidateOnFocus: false });
  const isTheirs = data?.from === range?.from && data?.to === range?.to;
  return {
    data: range && !(error && !isTheirs) ? data : undefined,
    stale: data !== undefined && !isTheirs,
    error: range ? error : undefined,
    reload: () => void mutate(),
  };
}

/** Each day of the days before, once they are wanted; undefined until they are there. */
export function useDaysBefore(workspaceId: string, range: Range) {
  const [wanted, setWanted] = useState(false);
  const before = daysBefore(range);
  const { data } = useCall(analyticsEndpoints.read, wanted ? { params: { workspaceId }, query: { ...before } } : null, {
    revalidateOnFocus: false,
  });
  return { wanted, setWanted, days: wanted ? data?.days : undefined };
}

/** A table of the page as a file. Throws an ApiError. */
export const analyticsFile = (workspaceId: string, table: AnalyticsTable, { from, to }: Range): Promise<File> =>
  download(analyticsEndpoints.csv, { params: { workspaceId }, query: { table, from, to } });
