/** What a build of a cargo lane made, and how cargo would run it. */

export type BinaryKind = 'lib' | 'bin' | 'test' | 'example' | 'bench' | 'proc-macro';

/** A test executable of the lane. */
export interface TestBinary {
  /** As nextest writes it: `jail`, `jail::stop_behavior`, `jail::bin/tool`. */
  readonly id: string;
  readonly package: string;
  /** Absolute folder of the package's Cargo.toml. */
  readonly manifestDir: string;
  readonly kind: BinaryKind;
  /** The target's own name: `stop_behavior`. */
  readonly name: string;
  /** Absolute path of the target's root source file. */
  readonly source: string;
  /** false: `harness = false`, so the executable is no libtest and may do anything when started. */
  readonly harness: boolean;
  /** Absolute. */
  readonly executable: string;
  /** Of the executable's bytes. */
  readonly sha256: string;
}

/** How `cargo test` starts a test executable; written down by the runner shim. */
export interface Launch {
  /** Absolute. */
  readonly executable: string;
  /** A runner that the project configured (`qemu-arm`, `sudo -E`), which stands before the executable. */
  readonly wrapper: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All of it: libtest's own variables unset, ours not yet added. */
  readonly env: Readonly<Record<string, string>>;
}
