/** What `cargo metadata` tells of a workspace: its packages and their targets. */
import path from 'node:path';
import { z } from 'zod';

const target = z.object({
  name: z.string(),
  kind: z.array(z.string()),
  src_path: z.string(),
  test: z.boolean().default(true),
  doctest: z.boolean().default(true),
  'required-features': z.array(z.string()).default([]),
});

const dependency = z.object({
  name: z.string(),
  rename: z.string().nullish(),
  optional: z.boolean().default(false),
  kind: z.string().nullish(),
  path: z.string().optional(),
});

const workspace = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      id: z.string(),
      manifest_path: z.string(),
      features: z.record(z.string(), z.array(z.string())),
      targets: z.array(target),
      dependencies: z.array(dependency).default([]),
    }),
  ),
  workspace_root: z.string(),
  workspace_members: z.array(z.string()),
  // Since cargo 1.71.
  workspace_default_members: z.array(z.string()).optional(),
});

export interface Target {
  readonly name: string;
  readonly kind: readonly string[];
  /** Absolute. */
  readonly source: string;
  /** Whether `cargo test` takes it unasked. */
  readonly test: boolean;
  readonly doctest: boolean;
  readonly requiredFeatures: readonly string[];
}

export interface Dependency {
  /** Of the package, as it calls itself. */
  readonly package: string;
  /** As it is called in the manifest. */
  readonly key: string;
  readonly optional: boolean;
  /** Absolute; null: it comes from elsewhere. */
  readonly folder: string | null;
  /** For tests, examples and benchmarks alone. */
  readonly isDevelopment: boolean;
}

export interface Package {
  readonly name: string;
  readonly id: string;
  /** Absolute. */
  readonly manifest: string;
  readonly features: readonly string[];
  readonly targets: readonly Target[];
  readonly dependencies: readonly Dependency[];
}

export interface Workspace {
  /** Absolute. */
  readonly root: string;
  /** Its members, in the order in which it names them. */
  readonly packages: readonly Package[];
  /** What a command in `root` takes where it names no package. */
  readonly defaults: readonly string[];
}

/** null: this is no metadata. */
export function readMetadata(text: string): Workspace | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = workspace.safeParse(value);
  if (!read.success) return null;
  const { data } = read;
  const members = new Set(data.workspace_members);
  const packages = data.packages
    .filter(({ id }) => members.has(id))
    .map((each) => ({
      name: each.name,
      id: each.id,
      manifest: each.manifest_path,
      features: Object.keys(each.features),
      targets: each.targets.map((one) => ({
        name: one.name,
        kind: one.kind,
        source: one.src_path,
        test: one.test,
        doctest: one.doctest,
        requiredFeatures: one['required-features'],
      })),
      dependencies: each.dependencies.map(({ name, rename, optional, kind, path: folder }) => ({
        package: name,
        key: rename ?? name,
        optional,
        folder: folder ?? null,
        isDevelopment: kind === 'dev',
      })),
    }));
  const rootManifest = path.join(data.workspace_root, 'Cargo.toml');
  const atRoot = packages.filter(({ manifest }) => manifest === rootManifest);
  const defaults =
    data.workspace_default_members ?? (atRoot.length > 0 ? atRoot : packages).map(({ id }) => id);
  return { root: data.workspace_root, packages, defaults };
}

/**
 * The packages of a command that names none: that of the nearest Cargo.toml, or the defaults of
 * the workspace where that is the workspace's own.
 *
 * @param manifest absolute path of the Cargo.toml nearest to the command's working folder
 */
export function unnamedPackages(
  { root, packages, defaults }: Workspace,
  manifest: string,
): readonly Package[] {
  const own = packages.find((each) => each.manifest === manifest);
  if (own !== undefined && manifest !== path.join(root, 'Cargo.toml')) return [own];
  return packages.filter(({ id }) => defaults.includes(id));
}
