export const drawings = {
  page: (
    <>
      <path d="M26 10h30l10 10v42H26z" />
      <path d="M56 10v10h10" />
      <path d="M34 24h14M34 32h22M34 40h10" />
      <path className="accent" d="M50 54l4-10 20-20 6 6-20 20zM70 28l6 6M50 54l4-4" />
    </>
  ),
  desk: (
    <>
      <path d="M14 62h68" />
      <path d="M24 62V40h48v22M24 50h48" />
      <path d="M42 45h12M42 56h12" />
      <path className="accent" d="M32 40l4-16h24l4 16M41 30h14" />
    </>
  ),
  calendar: (
    <>
      <path d="M24 16h48v46H24zM24 28h48M36 10v10M60 10v10" />
      <path d="M34 38h4M46 38h4M58 38h4M34 48h4M58 48h4" />
      <path className="accent" d="M44 48a4 4 0 1 0 8 0a4 4 0 1 0-8 0" />
    </>
  ),
  key: (
    <>
      <path d="M58 30h24v28H58zM63 30v-6a7 7 0 0 1 14 0v6M70 42v6" />
      <circle className="accent" cx="22" cy="42" r="9" />
      <path className="accent" d="M31 42h22M46 42v7M52 42v5" />
    </>
  ),
  search: (
    <>
      <path d="M16 22h30M16 34h18M16 46h20M16 58h34" />
      <circle className="accent" cx="58" cy="36" r="14" />
      <path className="accent" d="M68 46l12 12" />
    </>
  ),
  signpost: (
    <>
      <path d="M48 8v56M36 64h24" />
      <path d="M48 16h22l8 7-8 7H48" />
      <path className="accent" d="M48 34H28l-8 7 8 7h20" />
    </>
  ),
  broken: (
    <>
      <path d="M14 36h20l6-12" />
      <path d="M82 36H62l-6 12" />
      <path className="accent" d="M44 18l2 8M52 54l-2-8M60 24l-5 6M36 48l5-6" />
    </>
  ),
  line: (
    <>
      <path d="M18 12v48h62M14 24h4M14 36h4M14 48h4" />
      <path d="M18 52h14" />
      <path className="accent" d="M32 52l12-10 10 6 20-24" strokeDasharray="1 5" />
      <circle className="accent" cx="32" cy="52" r="3" />
    </>
  ),
  letter: (
    <>
      <path d="M18 18h60v40H18z" />
      <path d="M18 18l30 24 30-24" />
      <circle className="accent" cx="48" cy="42" r="6" />
    </>
  ),
} as const;
