import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { analyticsEndpoints, analyticsUsualDays, type Analytics, type AnalyticsTable } from "#contract/analytics.ts";
import { type ApiError, download } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { withParams } from "../../lib/use-view-address.ts";
import { toDay, previousRange, lastDays, presets, type Range, readView, writeView } from "./range.ts";
import { chartedFigures, type ChartedFigure } from "./metric-labels.ts";

const minute = 60_000;

/** Range and charted figure, stored in the URL. */
export function useView() {
  const [address, setAddress] = useSearchParams();
  const today = toDay(useNow(minute).getTime());
  const view = readView(address, today);
  const show = chartedFigures.find((name) => name === address.get("show")) ?? "views";
  return {
    ...view,
    show,
    today,
    choose: (chosen: (typeof presets)[number] | "own") =>
      setAddress(writeView(address, chosen === "own" ? (view.range ?? lastDays(analyticsUsualDays, today)) : chosen), {
        preventScrollReset: true,
      }),
    setRange: (range: Range) => setAddress(writeView(address, range), { preventScrollReset: true }),
    draw: (name: ChartedFigure) =>
      setAddress(withParams(address, { show: name === "views" ? undefined : name }), { replace: true, preventScrollReset: true }),
  };
}

interface AnalyticsState {
  /** Data of this range, or of the last one while loading. */
  data: Analytics | undefined;
  /** True while `data` belongs to another range. */
  stale: boolean;
  error: ApiError | undefined;
  reload: () => void;
}

/** Range null: no request. */
export function useAnalytics(workspaceId: string, range: Range | null): AnalyticsState {
  const options = range && { params: { workspaceId }, query: { from: range.from, to: range.to } };
  const { data, error, mutate } = useCall(analyticsEndpoints.read, options, { keepPreviousData: true, revalidateOnFocus: false });
  const isCurrent = data?.from === range?.from && data?.to === range?.to;
  return {
    data: range && !(error && !isCurrent) ? data : undefined,
    stale: data !== undefined && !isCurrent,
    error: range ? error : undefined,
    reload: () => void mutate(),
  };
}

/** Days of the previous period, once shown. */
export function useDaysBefore(workspaceId: string, range: Range) {
  const [isShown, setIsShown] = useState(false);
  const before = previousRange(range);
  const { data } = useCall(analyticsEndpoints.read, isShown ? { params: { workspaceId }, query: { ...before } } : null, {
    revalidateOnFocus: false,
  });
  return { isShown: isShown, setIsShown: setIsShown, days: isShown ? data?.days : undefined };
}

/** CSV of one table. Throws ApiError. */
export const analyticsFile = (workspaceId: string, table: AnalyticsTable, { from, to }: Range): Promise<File> =>
  download(analyticsEndpoints.csv, { params: { workspaceId }, query: { table, from, to } });
