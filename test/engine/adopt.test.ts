import { expect, it } from 'vitest';
import { adoptBaselines } from '../../src/engine/adopt.js';
import { createStopFlag, type SlotContext } from '../../src/engine/context.js';
import { unmeasured } from '../../src/engine/lane-state.js';
import { SlotDied } from '../../src/engine/slot-keeper.js';
import { step } from '../proof/build.js';
import { laneNamed } from './builders.js';

const STATE = { ...unmeasured(laneNamed('unit')), baseline: step('baseline') };

/** A slot whose process dies so many times. */
function slotThatDies(times: number) {
  const told: string[] = [];
  let left = times;
  const slot = {
    isolation: 'overlay',
    call(name: string) {
      told.push(name);
      left -= 1;
      return left < 0 ? Promise.resolve(null) : Promise.reject(new SlotDied('killed'));
    },
    rememberBaseline: () => told.push('remember'),
    revive() {
      told.push('revive');
      return Promise.resolve({ outcome: { kind: 'nothing', notes: [] }, problem: null });
    },
  };
  const context = {
    slot,
    emit: () => undefined,
    guard: { inPlace: () => undefined },
    stop: createStopFlag(),
  } as unknown as SlotContext;
  return { told, context };
}

it('a slot whose process dies as it is told of a baseline is told again, and left out if it dies again', async () => {
  const [well, once, always] = [slotThatDies(0), slotThatDies(1), slotThatDies(9)];

  const adopted = await adoptBaselines(
    [well, once, always].map(({ context }) => context),
    [STATE, unmeasured(laneNamed('without-baseline'))],
  );

  expect(adopted).toEqual([well.context, once.context]);
  expect(well.told).toEqual(['adopt', 'remember']);
  expect(once.told).toEqual(['adopt', 'revive', 'adopt', 'remember']);
  expect(always.told).toEqual(['adopt', 'revive', 'adopt', 'revive']);
});
