import assert from 'node:assert/strict';
import { designatorOf } from '../../../src/terminal/draw/charsets.ts';
import {
  attributesAt,
  attributesInForce,
  type Attributes,
} from '../../../src/terminal/screen/attributes.ts';
import { cellText, cellWidth } from '../../../src/terminal/screen/cells.ts';
import { serializeScreen } from '../../../src/terminal/draw/serializer.ts';
import type { TerminalModel } from '../../../src/terminal/screen/terminalModel.ts';
import type { RowView } from '../../../src/terminal/screen/rowView.ts';
import type { ScreenBuffer } from '../../../src/terminal/screen/screenTypes.ts';

type LinkName = (urlId: number) => string;

/** The observable state of a terminal, one fact per line, read from the emulator. */
export function stateOf(model: TerminalModel): string[] {
  const { emulator } = model;
  const linkName = linkNames(model);
  const { options } = emulator.terminal;
  return [
    `size ${emulator.size.cols}x${emulator.size.rows}`,
    `active ${model.isAlternateScreen ? 'alternate' : 'normal'}`,
    ...bufferState('normal', emulator.normal, model, linkName),
    ...bufferState('alternate', emulator.alternate, model, linkName),
    `rows ${JSON.stringify(model.rows().map(lastWrite))}`,
    `mainRows ${JSON.stringify(model.mainScreenRows().map(lastWrite))}`,
    `byteOffset ${model.byteOffset}`,
    `inForce ${attributesText(attributesInForce(emulator.attributes), linkName)}`,
    `charset ${designatorOf(emulator.charset)} level ${emulator.charsetLevel} ${[0, 1, 2, 3].map((level) => designatorOf(emulator.designatedCharset(level))).join('')}`,
    `modes ${JSON.stringify(emulator.modes)}`,
    `insert ${emulator.isInsertMode} newline ${options.convertEol} blink ${options.cursorBlink} hidden ${emulator.isCursorHidden}`,
    `mouse ${emulator.mouseProtocol} ${emulator.mouseEncoding}`,
    `title ${JSON.stringify([emulator.title, emulator.iconName])}`,
    `join ${emulator.joinState} rest ${emulator.isAtRest}`,
  ];
}

function bufferState(
  name: string,
  buffer: ScreenBuffer,
  model: TerminalModel,
  linkName: LinkName,
): string[] {
  const isActive = buffer === model.emulator.active;
  const { cols } = model.size;
  const lines: string[] = [];
  for (let row = 0; row < buffer.lines.length; row++) {
    const line = buffer.lines.get(row)!;
    const cells: string[] = [];
    for (let column = 0; column < line.length; column++) {
      const look = attributesText(attributesAt(line, column), linkName);
      cells.push(
        `${cellText(line, column)}/${cellWidth(line, column)}${look === '' ? '' : `{${look}}`}`,
      );
    }
    lines.push(`${name} ${row}${line.isWrapped ? ' wrapped' : ''} ${cells.join(' ')}`);
  }
  const stops = Object.keys(buffer.tabs).filter(
    (stop) => buffer.tabs[Number(stop)] && Number(stop) < cols,
  );
  return [
    ...lines,
    // The cursor's column on the inactive main screen has no effect.
    `${name} cursor ${isActive ? buffer.x : ''},${buffer.y} base ${buffer.ybase}`,
    `${name} saved ${buffer.savedX},${buffer.savedY} ${savedText(buffer)} ${designatorOf(buffer.savedCharset)}`,
    `${name} margins ${buffer.scrollTop}-${buffer.scrollBottom}`,
    `${name} tabs ${stops.join(' ')}`,
  ];
}

function savedText(buffer: ScreenBuffer): string {
  const { fg, bg } = attributesInForce(buffer.savedCurAttrData);
  return `${fg.toString(16)}:${bg.toString(16)}`;
}

function attributesText(attributes: Attributes, linkName: LinkName): string {
  const { fg, bg, underlineStyle, underlineColor, urlId } = attributes;
  if (fg === 0 && bg === 0 && underlineStyle === 0 && underlineColor === 0 && urlId === 0) {
    return '';
  }
  return `${fg.toString(16)}:${bg.toString(16)}:${underlineStyle}:${underlineColor.toString(16)}:${linkName(urlId)}`;
}

/** Numbers links by their target and first appearance: xterm's numbers differ between equal states. */
function linkNames(model: TerminalModel): LinkName {
  const order = new Map<number, number>();
  const { emulator } = model;
  const note = (urlId: number): void => {
    if (urlId !== 0 && !order.has(urlId)) order.set(urlId, order.size + 1);
  };
  for (const { lines } of [emulator.normal, emulator.alternate]) {
    for (let row = 0; row < lines.length; row++) {
      const line = lines.get(row)!;
      for (let column = 0; column < line.length; column++) note(attributesAt(line, column).urlId);
    }
  }
  note(emulator.attributes.extended.urlId);
  return (urlId) => {
    if (urlId === 0) return '';
    const link = emulator.linkData(urlId);
    return `${order.get(urlId)}=${link ? `${link.id ?? ''};${link.uri}` : 'gone'}`;
  };
}

function lastWrite(row: RowView): number {
  return row.lastWriteByte;
}

/** The state that a stream can't express. */
export function lossesOf({ emulator }: TerminalModel): ReadonlySet<string> {
  const nothing = { stream: '', screenStream: () => '' };
  return serializeScreen(emulator, (urlId) => emulator.linkData(urlId), nothing).losses;
}

/** Fails with the facts that differ. */
export function assertSameState(
  actual: TerminalModel,
  expected: TerminalModel,
  where: string,
): void {
  assertSameFacts(stateOf(actual), stateOf(expected), where);
}

/** The same for terminals without the state of the recording. */
export function assertSameScreen(
  actual: TerminalModel,
  expected: TerminalModel,
  where: string,
): void {
  assertSameFacts(screenOf(actual), screenOf(expected), where);
}

/** The part of {@link stateOf} that is independent of the recording. */
export function screenOf(model: TerminalModel): string[] {
  return stateOf(model).filter((fact) => !/^(rows|mainRows|byteOffset) /.test(fact));
}

/** Differences of two results of {@link stateOf} or {@link screenOf}. */
export function assertSameFacts(
  actualState: readonly string[],
  expectedState: readonly string[],
  where: string,
): void {
  if (actualState.join('\n') === expectedState.join('\n')) return;
  const differing = expectedState.flatMap((fact, index) =>
    fact === actualState[index] ? [] : [index],
  );
  assert.deepEqual(
    differing.map((index) => actualState[index]),
    differing.map((index) => expectedState[index]),
    where,
  );
  assert.deepEqual(actualState, expectedState, where);
}
