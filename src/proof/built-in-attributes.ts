/** Attributes of Python's built-in types: what one lacks, another one may have. */

const NAMES = new Set(
  `
    aclose add append as_integer_ratio asend athrow bit_count bit_length c_contiguous capitalize
    casefold cast center clear close conjugate contiguous copy count decode denominator
    difference difference_update discard encode endswith expandtabs extend f_contiguous find
    format format_map from_bytes fromhex fromkeys get hex imag index indices insert intersection
    intersection_update is_integer isalnum isalpha isascii isdecimal isdigit isdisjoint
    isidentifier islower isnumeric isprintable isspace issubset issuperset istitle isupper items
    itemsize join keys ljust lower lstrip maketrans mapping nbytes ndim numerator obj partition
    pop popitem readonly real release remove removeprefix removesuffix replace reverse rfind
    rindex rjust rpartition rsplit rstrip send setdefault shape sort split splitlines start
    startswith step stop strides strip suboffsets swapcase symmetric_difference
    symmetric_difference_update throw title to_bytes tobytes tolist toreadonly translate union
    update upper values zfill
  `
    .trim()
    .split(/\s+/),
);

/** Whether some built-in type has it; those with underscores around them all may. */
export const isOfBuiltIn = (name: string): boolean =>
  NAMES.has(name) || /^__\w+__$|^(?:ag|cr|gi)_/.test(name);
