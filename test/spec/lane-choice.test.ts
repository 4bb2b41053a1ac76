import { describe, expect, test } from 'vitest';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import { laneOfFile } from '../../src/spec/lane-choice.js';
import type { Config } from '../../src/spec/model.js';
import { brief, completeWith, configFrom, faultsIn, mutationsIn, TWO_LANES } from './support.js';

const MIXED = configFrom(
  'lanes: { unit: { runner: pytest }, crate: { runner: cargo } }\ndefaults: { lane: unit }',
);
const SEVERAL = configFrom(
  'lanes: { a: { runner: cargo }, b: { runner: cargo }, c: { runner: pytest } }',
);
const WEB = configFrom('lanes: { web: { runner: junit, command: ["{report}"] } }');

/** As detection leaves it where a folder holds both. */
const FOUND: Config = {
  ...configFrom(''),
  lanes: [
    implicitLane(),
    { ...configFrom('lanes: { cargo: { runner: cargo } }').lanes[0]!, where: null },
  ],
};

describe('the lane in which a file is tried', () => {
  test.each<[about: string, config: Config, file: string, lane: string | null]>([
    ['the only lane', configFrom(''), 'data.json', 'pytest'],
    ['the only lane, whatever it runs', configFrom(''), 'src/a.rs', 'pytest'],
    ['the default', MIXED, 'data.json', 'unit'],
    ['the default, which runs the language', MIXED, 'src/a.py', 'unit'],
    ['the one that runs the language, before the default', MIXED, 'src/a.rs', 'crate'],
    ['none of several', SEVERAL, 'src/a.rs', null],
    ['the only one of several that runs the language', SEVERAL, 'src/a.py', 'c'],
    ['none of several for another file', SEVERAL, 'data.json', null],
    ['a lane of any command', WEB, 'src/a.rs', 'web'],
    ['by detection', FOUND, 'src/a.rs', 'cargo'],
    ['by detection, for Python', FOUND, 'src/a.py', 'pytest'],
    ['none by detection for other files', FOUND, 'data.json', null],
  ])('%s', (_, config, file, lane) => {
    expect(laneOfFile(config, file)?.name ?? null).toBe(lane);
  });
});

describe('the lane of a mutation that names none', () => {
  const of = (file: string): string => completeWith('').replace('src/a.py', file);

  test('is that of its file where detection found several', () => {
    expect(mutationsIn(of('src/a.rs'), FOUND)[0]?.lane).toBe('cargo');
    expect(mutationsIn(of('src/a.py'), FOUND)[0]?.lane).toBe('pytest');
  });

  test('is refused where its file says nothing, or a configuration declares several', () => {
    const fault = ['3:7 `one` names no lane, and there are several'];
    expect(brief(faultsIn(of('data.json'), FOUND))).toEqual(fault);
    expect(brief(faultsIn(of('src/a.py'), TWO_LANES))).toEqual(fault);
  });

  test('is refused where its files say different things', () => {
    const edits = 'edits: [{ file: a.py, delete: true }, { file: a.rs, delete: true }]\nflips: any';
    const text = completeWith('')
      .replace(/file: src.*/s, '')
      .trimEnd();
    const spec = `${text}\n${edits.replace(/^/gm, '  ')}\n`;
    expect(brief(faultsIn(spec, FOUND))).toEqual([
      '3:7 `one` names no lane, and there are several',
    ]);
  });
});
