import { expect, it } from 'vitest';
import { asksOfItsProcess } from '../../../src/lane/pytest/warm/own-process.js';

const patch = (line: string, file = 'mod.py'): string =>
  `--- a/${file}\n+++ b/${file}\n@@ -1,2 +1,2 @@\n import time\n${line}\n`;

it.each([
  '+import xml.dom.minidom',
  '-from xml.dom import minidom',
  "+    return __import__('xml')",
  "-part = importlib.import_module('xml')",
  "+if 'xml' in sys.modules:",
  '+    return time.process_time()',
  '-    return time.process_time_ns()',
  '+    return time.thread_time()',
  '+    return time.thread_time_ns()',
  '-    used = resource.getrusage(resource.RUSAGE_SELF)',
  '+    return os.times()',
  '+    return record.relativeCreated',
])('%s asks of its process', (line) => {
  expect(asksOfItsProcess(patch(line))).toBe(true);
});

it.each([
  '+    return 3',
  '-    important = reimport(1)',
  '     import xml',
  '+    return time.time()',
])('%s does not', (line) => {
  expect(asksOfItsProcess(patch(line))).toBe(false);
});

it('the name of a file asks for nothing', () => {
  expect(asksOfItsProcess(patch('+    return 3', 'lib/import/import_module.py'))).toBe(false);
});
