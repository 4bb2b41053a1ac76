import { describe, expect, it } from 'vitest';
import { read, suite } from './support.js';

describe('a report', () => {
  it('is read case by case, with what stands in each and the suites around it', async () => {
    const { cases, fault, suiteFaults } = await read(
      `<testsuites name="all"><testsuite name="outer" file="a.js"><testsuite name="inner">
         <testcase name="one" classname="c" file="b.js" time="0.5" status="run"/>
         <testcase name="two"><failure type="T" message="m">text</failure></testcase>
         <testcase name="three"><skipped/></testcase>
       </testsuite></testsuite></testsuites>`,
    );
    expect(fault).toBeNull();
    expect(suiteFaults).toEqual([]);
    expect(cases.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(cases[0]).toMatchObject({
      classname: 'c',
      file: 'b.js',
      time: '0.5',
      status: 'run',
      marks: [],
    });
    expect(cases[0]?.suites.map(({ name, file }) => [name, file])).toEqual([
      ['outer', 'a.js'],
      ['inner', null],
    ]);
    expect(cases[1]?.marks).toEqual([{ kind: 'failure', type: 'T', message: 'm', text: 'text' }]);
    expect(cases[2]?.marks.map(({ kind }) => kind)).toEqual(['skipped']);
  });

  it('may have a suite for its root, a document type, comments and namespaces', async () => {
    const { cases, fault } = await read(
      `<?xml version="1.0"?><!DOCTYPE testsuite SYSTEM "junit.dtd"><!-- x -->
       <testsuite name="s" xmlns:a="urn:a"><testcase name="t" a:b="c"/></testsuite>`,
    );
    expect(fault).toBeNull();
    expect(cases.map(({ name }) => name)).toEqual(['t']);
  });

  it('may hold entities, CDATA and characters beyond ASCII', async () => {
    const { cases, oddities } = await read(
      suite(
        '<testcase name="a &lt;b&gt; &#39;c&#x27; &amp;&quot; 世界 é">',
        '<failure message="1 &lt; 2"><![CDATA[<raw> & "text"]]> and &gt; more</failure></testcase>',
      ),
    );
    expect(oddities).toBe(0);
    expect(cases[0]?.name).toBe(`a <b> 'c' &" 世界 é`);
    expect(cases[0]?.marks[0]).toMatchObject({
      message: '1 < 2',
      text: '<raw> & "text" and > more',
    });
  });

  const text = suite('<testcase name="grün"/>');
  const utf16 = text.replace('UTF-8', 'UTF-16');
  it.each<readonly [string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little end first', Buffer.from(`\uFEFF${utf16}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${utf16}`, 'utf16le').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from(utf16, 'utf16le')],
    ['Latin-1', Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['Windows-1252', Buffer.from(text.replace('UTF-8', 'windows-1252'), 'latin1')],
    ['an encoding that nobody knows', Buffer.from(text.replace('UTF-8', 'x-runner-own'))],
    ['no declaration', Buffer.from(text.replace(/<\?.*\?>\n/, ''))],
  ])('may be in %s', async (_encoding, bytes) => {
    const { cases, fault } = await read(bytes);
    expect(fault).toBeNull();
    expect(cases.map(({ name }) => name)).toEqual(['grün']);
  });

  it('keeps a character whole that two reads of the file divide', async () => {
    // Files are read 64 KiB at a time; each prefix puts another byte of the characters there.
    for (const shift of [0, 1, 2]) {
      const filler = 'x'.repeat(65_536 - 400 + shift);
      const name = '世'.repeat(200);
      const { cases } = await read(
        suite(`<system-out>${filler}</system-out>`, `<testcase name="${name}"/>`),
      );
      expect(cases[0]?.name).toBe(name);
    }
  });

  it('loses no test to bytes and characters that XML forbids, and counts them', async () => {
    const { cases, fault, oddities } = await read(
      suite(
        '<testcase name="a"><failure message="\u001B[31mred\u001B[0m &#x1b;">\u0000 ]]&gt; ]]></failure></testcase>',
        '<testcase name="b"/>',
      ),
    );
    expect(fault).toBeNull();
    expect(cases.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(oddities).toBeGreaterThan(0);

    const invalid = Buffer.concat([
      Buffer.from('<testsuite><testcase name="'),
      Buffer.from([0xff]),
      Buffer.from('"/></testsuite>'),
    ]);
    expect((await read(invalid)).cases[0]?.name).toBe('\uFFFD');
  });

  it.each<readonly [string, string, Partial<Record<'line' | 'message', unknown>>]>([
    ['cut off', '<testsuites>\n<testsuite>\n<testcase name="a"/>\n<testcase na', { line: 4 }],
    ['cut off between cases', '<testsuites>\n<testsuite>\n<testcase name="a"/>\n', { line: 4 }],
    ['empty', '', { message: 'document must contain a root element.' }],
    ['not XML', 'Error: ENOENT\n', { message: 'text data outside of root node.' }],
    ['closed crosswise', '<testsuites>\n<testsuite><testcase></testsuite>\n', { line: 2 }],
    ['another kind of XML', '<coverage/>', { message: '<coverage> is not a JUnit report' }],
    ['two documents', '<testsuites/>\n<testsuites/>', { line: 2 }],
    ['HTML', '<html><body><p>Internal Server Error<br></body></html>', { line: 1 }],
    ['an unknown entity', '<testsuite>\n<testcase name="&nbsp;"/></testsuite>', { line: 2 }],
  ])('that is %s is no whole report, and the place is said', async (_what, content, expected) => {
    const { fault } = await read(content);
    expect(fault).toMatchObject(expected);
    expect(fault?.column).toBeTypeOf('number');
  });

  it('gives the cases before a fault', async () => {
    const { cases, fault } = await read('<testsuite><testcase name="a"/><testcase name="b">');
    expect(fault).not.toBeNull();
    expect(cases.map(({ name }) => name)).toEqual(['a']);
  });

  it('keeps the beginning of a long text, and nothing of output', async () => {
    const long = 'é'.repeat(40_000);
    const { cases } = await read(
      suite(
        `<testcase name="a"><system-out>${long}</system-out>`,
        `<failure>${long}</failure><system-err>${long}</system-err></testcase>`,
      ),
    );
    expect(cases[0]?.marks).toHaveLength(1);
    expect(cases[0]?.marks[0]?.text).toBe('é'.repeat(16 * 1024));
  });

  it('tells a failure of a whole suite, and one that no case accounts for', async () => {
    const { suiteFaults } = await read(
      `<testsuites failures="3"><testsuite name="a" failures="1"><testcase name="t"><failure/></testcase></testsuite>
       <testsuite name="b" errors="1"><error message="set-up">x</error></testsuite>
       <testsuite name="c" file="c.js" failures="2" errors="1"><testcase name="t"><failure/></testcase></testsuite>
       <testsuite name="d" failures="0"><testsuite name="e" failures="1"><testcase name="t"><failure/><error/></testcase></testsuite></testsuite>
       </testsuites>`,
    );
    expect(
      suiteFaults.map((fault) => [
        fault.kind,
        fault.suite.name,
        fault.kind === 'unnamed' ? [fault.counted, fault.named] : fault.mark.message,
      ]),
    ).toEqual([
      ['marked', 'b', 'set-up'],
      ['unnamed', 'c', [3, 1]],
    ]);
  });
});
