import assert from 'node:assert/strict';
import { barChart } from '../../../../src/extension/agents/barChart.ts';

const bars = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: index + 1,
    label: `turn <${index}>`,
    text: `${index + 1} s`,
  }));
const numbers = (chart: string, attribute: string) =>
  [...chart.matchAll(new RegExp(`<rect [^>]*\\b${attribute}="([\\d.]+)"`, 'g'))].map(([, text]) =>
    Number(text),
  );

describe('barChart', () => {
  it('labels all of a few bars, and only the highest of many', () => {
    const few = barChart('Length', bars(3));
    for (const text of ['1 s', '2 s', '3 s']) assert.ok(few.includes(`>${text}</text>`));
    const many = barChart('Length', bars(60), 41);
    assert.ok(!many.includes('>59 s</text>') && many.includes('↑ 60 s'));
    assert.match(many, />41<\/text>/);
    assert.match(many, />100<\/text>/);
  });

  it('scales to the highest bar and stays within its width', () => {
    const chart = barChart('Length', bars(60));
    assert.equal(Math.max(...numbers(chart, 'height')), 64);
    assert.ok(Math.min(...numbers(chart, 'height')) >= 2);
    assert.ok(Math.max(...numbers(chart, 'x')) + numbers(chart, 'width')[0]! <= 400);
  });

  it('escapes labels, and is empty if all values are 0', () => {
    assert.ok(barChart('<b>', bars(2)).includes('turn &#60;1&#62;'));
    assert.ok(!barChart('<b>', bars(2)).includes('<b>'));
    assert.equal(barChart('Length', [{ value: 0, label: '', text: '0' }]), '');
  });
});
