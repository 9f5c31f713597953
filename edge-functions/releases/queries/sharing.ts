interface Round<Answer> {
  running: Promise<Answer>;
  /** Resolves when the next question may be asked. */
  over: Promise<unknown>;
  /** Begins when this round is over; whoever asks until then waits for it. */
  next: Promise<Answer> | null;
}

/**
 * Lets equal questions that are asked at the same time share one, and asks none twice within `gapMs`. Nobody hears an answer that was
 * begun before he asked, so it is as fresh as his own would be; any number of readers cost the database one question after the other.
 */
export function sharing<Answer>(ask: (about: string) => Promise<Answer>, gapMs: number): (about: string) => Promise<Answer> {
  const rounds = new Map<string, Round<Answer>>();

  function begin(about: string): Promise<Answer> {
    const running = ask(about);
    const gap = new Promise((resolve) => setTimeout(resolve, gapMs));
    const round: Round<Answer> = { running, over: Promise.allSettled([running, gap]), next: null };
    rounds.set(about, round);
    void round.over.then(() => round.next === null && rounds.delete(about));
    return running;
  }

  return (about) => {
    const round = rounds.get(about);
    if (round === undefined) return begin(about);
    return (round.next ??= round.over.then(() => begin(about)));
  };
}
