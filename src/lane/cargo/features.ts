/** The features that a lane asks for, as arguments of cargo. */
import type { CargoLane } from '../../spec/model.js';
import type { Package } from './metadata.js';

type Features = Pick<CargoLane, 'features' | 'noDefaultFeatures' | 'allFeatures'>;

export const featureArguments = (lane: Features): readonly string[] => [
  ...(lane.features.length === 0 ? [] : ['--features', lane.features.join(',')]),
  ...(lane.noDefaultFeatures ? ['--no-default-features'] : []),
  ...(lane.allFeatures ? ['--all-features'] : []),
];

/**
 * The same for one of the lane's packages alone. Cargo takes a feature that any of several
 * packages has, but refuses one that a single package has not: that of a dependency is
 * named through it there.
 */
export const featureArgumentsOf = (
  lane: Features,
  own: Package,
  packages: readonly Package[],
): readonly string[] =>
  featureArguments({
    ...lane,
    features: lane.features.flatMap((feature) => featuresIn(feature, own, packages)),
  });

function featuresIn(asked: string, own: Package, packages: readonly Package[]): readonly string[] {
  const [owner, feature] = asked.includes('/') ? asked.split('/', 2) : [null, asked];
  if (owner === null) {
    const through = own.dependencies.filter((each) =>
      packages.some(({ name, features }) => name === each.package && features.includes(asked)),
    );
    return [
      ...(own.features.includes(asked) ? [asked] : []),
      // Without the mark an optional dependency would be switched on.
      ...through.map(({ key, optional }) => `${key}${optional ? '?' : ''}/${asked}`),
    ];
  }
  if (owner === own.name || !packages.some(({ name }) => name === owner)) return [asked];
  return own.dependencies
    .filter((each) => each.package === owner)
    .map(({ key, optional }) => `${key}${optional ? '?' : ''}/${feature ?? ''}`);
}
