import { expect, it } from 'vitest';
import { namesInPython } from '../../src/mutation/python-names.js';

it('names functions, methods and nested classes with dots', () => {
  const source = Buffer.from(
    'def test_a(): pass\n@mark\nasync def test_b(): pass\nclass TestC(Base):\n  def test_d(self): pass\n  class Inner:\n    def test_e(self): pass\nif True:\n  def test_f(): pass\n',
  );
  expect([...namesInPython(source)].toSorted()).toEqual([
    'TestC',
    'TestC(',
    'TestC.Inner',
    'TestC.Inner.test_e',
    'TestC.test_d',
    'test_a',
    'test_b',
    'test_f',
  ]);
});
