/** Names of the runs folder: UTC to the second, and the pid of the run. */

const STAMP = /^(\d{8}-\d{6})-(\d+)(?:-(\d+))?$/;

/** `20261130-013612-4711`: sorts by time, and two runs of one second do not meet. */
export function runStamp(startedAt: Date, pid: number): string {
  const [day = '', time = ''] = startedAt.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${pid}`;
}

/** The pid in a stamp; null where the name is not one of ours. */
export function pidOf(stamp: string): number | null {
  const match = STAMP.exec(stamp);
  return match === null ? null : Number(match[2]);
}

function sortKey(stamp: string): readonly [string, number, number] {
  const match = STAMP.exec(stamp);
  return [match?.[1] ?? '', Number(match?.[3] ?? 0), Number(match?.[2] ?? 0)];
}

/** Newest first; by time, then by the number that told two of one second and pid apart. */
export function newestFirst(stamps: readonly string[]): string[] {
  return stamps.toSorted((a, b) => {
    const [timeA, againA, pidA] = sortKey(a);
    const [timeB, againB, pidB] = sortKey(b);
    if (timeA !== timeB) return timeA < timeB ? 1 : -1;
    return againB - againA || pidB - pidA;
  });
}
