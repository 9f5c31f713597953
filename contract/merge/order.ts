import { longestRise } from "./longest-rise.ts";

export interface Ids {
  base: readonly string[];
  mine: readonly string[];
  theirs: readonly string[];
}

export interface Ordered {
  ids: string[];
  movedBy: Map<string, "mine" | "theirs" | "both">;
  /** Moved by both to different places: mine wins. */
  contested: Set<string>;
}

/** Ids moved by a side: all but a longest run still in base order. */
function movedIn(base: readonly string[], side: readonly string[]): Set<string> {
  const places = new Map(base.map((id, place) => [id, place]));
  const remaining = side.filter((id) => places.has(id));
  const still = new Set(longestRise(remaining.map((id) => places.get(id)!)).map((at) => remaining[at]!));
  return new Set(remaining.filter((id) => !still.has(id)));
}

/** Orders `keep` by both sides' moves and insertions. An inserted block follows its predecessor, even when the other side moved that. */
export function mergeOrder({ base, mine, theirs }: Ids, keep: ReadonlySet<string>): Ordered {
  const [old, ours, others] = [new Set(base), new Set(mine), new Set(theirs)];
  const [movedMine, movedTheirs] = [movedIn(base, mine), movedIn(base, theirs)];
  const movedBy: Ordered["movedBy"] = new Map();
  for (const id of movedMine) movedBy.set(id, movedTheirs.has(id) ? "both" : "mine");
  for (const id of movedTheirs) if (!movedMine.has(id)) movedBy.set(id, "theirs");

  // Blocks with a position on both sides, then those whose positions agree.
  const isAgreed = (id: string): boolean => keep.has(id) && ours.has(id) && others.has(id) && (movedBy.get(id) ?? "both") === "both";
  const placesInTheirs = new Map(theirs.map((id, place) => [id, place]));
  const common = mine.filter(isAgreed);
  const frame = new Set(longestRise(common.map((id) => placesInTheirs.get(id)!)).map((at) => common[at]!));
  const contested = new Set(common.filter((id) => !frame.has(id)));

  const isNew = (id: string, otherHas: ReadonlySet<string>): boolean => !old.has(id) && !otherHas.has(id);
  const placed = (id: string, side: "mine" | "theirs"): boolean => {
    if (!keep.has(id) || frame.has(id)) return false;
    if (contested.has(id)) return side === "mine";
    const by = movedBy.get(id);
    if (ours.has(id) && others.has(id)) return by === side;
    return true;
  };
  const behind = (side: readonly string[], name: "mine" | "theirs", otherHas: ReadonlySet<string>): Map<string, string[]> => {
    const inserted = new Map<string, string[]>();
    let at = start;
    for (const id of side) {
      if (frame.has(id)) at = id;
      else if (!isNew(id, otherHas) && placed(id, name)) push(inserted, at, id);
    }
    return inserted;
  };
  const [fromMine, fromTheirs] = [behind(mine, "mine", others), behind(theirs, "theirs", ours)];
  const order = [start, ...common.filter((id) => frame.has(id))].flatMap((id) => [
    ...(id === start ? [] : [id]),
    ...(fromTheirs.get(id) ?? []),
    ...(fromMine.get(id) ?? []),
  ]);

  const inOrder = new Set(order);
  const written = {
    mine: newOnes(mine, inOrder, (id) => isNew(id, others), movedTheirs),
    theirs: newOnes(theirs, inOrder, (id) => isNew(id, ours), movedMine),
  };
  const around = (where: "before" | "after", id: string): string[] => [
    ...(written.theirs[where].get(id) ?? []),
    ...(written.mine[where].get(id) ?? []),
  ];
  const ids = [
    ...around("after", start),
    ...order.flatMap((id) => [...around("before", id), id, ...around("after", id)]),
    ...around("before", end),
  ];
  return { ids, movedBy, contested };
}

/** Sentinels: ids contain no spaces. */
const [start, end] = [" start", " end"];

function push(map: Map<string, string[]>, key: string, id: string): void {
  const list = map.get(key);
  if (list) list.push(id);
  else map.set(key, [id]);
}

/** Inserted blocks by predecessor; if the other side moved only the predecessor, by successor. */
function newOnes(side: readonly string[], inOrder: ReadonlySet<string>, isNew: (id: string) => boolean, movedAway: ReadonlySet<string>) {
  const [before, after] = [new Map<string, string[]>(), new Map<string, string[]>()];
  let last = start;
  let run: string[] = [];
  const put = (next: string): void => {
    const follows = !movedAway.has(last) || movedAway.has(next);
    for (const id of run) push(follows ? after : before, follows ? last : next, id);
    run = [];
  };
  for (const id of side) {
    if (isNew(id)) run.push(id);
    else if (inOrder.has(id)) {
      put(id);
      last = id;
    }
  }
  put(end);
  return { before, after };
}
