/** Python's seed for hashes: sets of texts have another order in each process without it. */

/** A number that the user fixed stays; anything else would differ from step to step. */
export const hashSeed = (given: string | undefined): string =>
  given !== undefined && /^\d+$/.test(given) ? given : '0';
