import type { PageItem } from '../../timeline/common/protocol/recordingPageProtocol.ts';
import { rowElement } from './rowElements.ts';

/**
 * Rows are added and removed in blocks of this size: large enough that there are few blocks, small
 * enough that a block is built within a frame.
 */
const BLOCK_ROWS = 200;
/**
 * Up to this number, all rows are in the page, where the editor's search finds them. In longer
 * lists, only the rows near the visible ones are.
 */
const MAX_WHOLE_ROWS = 5000;
/** Blocks that are kept before and after the visible ones. */
const MARGIN_BLOCKS = 2;

export interface RowListState {
  readonly generation: number;
  readonly itemCount: number;
  readonly settledItems: number;
  /** The first item that must be shown; a few items before it may be shown, too. */
  readonly firstItem: number;
}

interface Block {
  readonly element: HTMLElement;
  /** Whether the block shows the current items, or has requested them. */
  isFresh: boolean;
  isAsked: boolean;
}

const NOTHING: RowListState = { generation: -1, itemCount: 0, settledItems: 0, firstItem: 0 };

/**
 * A list of any length, of which only a part is in the page. All rows have the same height, so the
 * position of a block does not depend on the blocks before it.
 */
export class RowList {
  readonly #scroller: HTMLElement;
  readonly #canvas: HTMLElement;
  readonly #read: (from: number, to: number) => void;
  readonly #blocks = new Map<number, Block>();
  #state = NOTHING;
  #rowHeight = 0;

  constructor(scroller: HTMLElement, read: (from: number, to: number) => void) {
    this.#scroller = scroller;
    this.#read = read;
    this.#canvas = document.createElement('div');
    this.#canvas.className = 'canvas';
    scroller.append(this.#canvas);
    scroller.addEventListener('scroll', () => this.#fill(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(scroller);
  }

  /** Whether the list is scrolled to its last rows. */
  get isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller;
    return scrollTop + clientHeight >= scrollHeight - 2 * this.#rowHeight;
  }

  /** Number of the item at the upper edge, with a fraction if the item is partly scrolled away. */
  get topItem(): number {
    return this.#state.firstItem + this.#scroller.scrollTop / (this.#rowHeight || 1);
  }

  /** The first item that is shown. */
  get firstItem(): number {
    return this.#state.firstItem;
  }

  show(next: RowListState): void {
    const before = this.#state;
    const firstItem = Math.floor(next.firstItem / BLOCK_ROWS) * BLOCK_ROWS;
    const state = { ...next, firstItem };
    this.#state = state;
    const stableEnd = state.generation === before.generation ? before.settledItems : 0;
    for (const [index, block] of this.#blocks) {
      if (endOf(index) > stableEnd) block.isFresh = false;
      const isOutside = index * BLOCK_ROWS >= state.itemCount || endOf(index) <= state.firstItem;
      if (isOutside) this.#remove(index, block);
    }
    this.#measure();
  }

  scrollToEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#fill();
  }

  scrollToItem(item: number): void {
    this.#scroller.scrollTop = Math.max(0, item - this.#state.firstItem) * this.#rowHeight;
    this.#fill();
  }

  /** Shows requested items. Items of another generation are out of date and requested again. */
  receive(generation: number, from: number, items: readonly PageItem[]): void {
    const block = this.#blocks.get(Math.floor(from / BLOCK_ROWS));
    if (!block) return;
    block.isAsked = false;
    if (generation === this.#state.generation) {
      const rows = items.map((item, index) =>
        rowElement(item, from + index, this.#state.itemCount),
      );
      block.element.replaceChildren(...rows);
    } else block.isFresh = false;
    this.#fill();
  }

  #measure(): void {
    const probe = document.createElement('div');
    probe.className = 'row';
    probe.textContent = 'X';
    this.#canvas.append(probe);
    const height = probe.getBoundingClientRect().height;
    probe.remove();
    // A height of 0 means that the page is not laid out yet: the observer will call again.
    if (height === 0) return;
    this.#rowHeight = height;
    this.#canvas.style.height = `${(this.#state.itemCount - this.#state.firstItem) * height}px`;
    for (const [index, { element }] of this.#blocks) this.#place(index, element);
    this.#fill();
  }

  #place(index: number, element: HTMLElement): void {
    element.style.top = `${(index * BLOCK_ROWS - this.#state.firstItem) * this.#rowHeight}px`;
  }

  /** Requests missing blocks near the visible rows, and removes blocks that are far from them. */
  #fill(): void {
    const { firstItem, itemCount } = this.#state;
    if (this.#rowHeight === 0 || itemCount === firstItem) return;
    const isWhole = itemCount - firstItem <= MAX_WHOLE_ROWS;
    const { scrollTop, clientHeight } = this.#scroller;
    const top = firstItem + scrollTop / this.#rowHeight;
    const bottom = top + clientHeight / this.#rowHeight;
    const firstBlock = Math.floor(firstItem / BLOCK_ROWS);
    const lastBlock = Math.floor((itemCount - 1) / BLOCK_ROWS);
    const near = (item: number): number => Math.floor(item / BLOCK_ROWS);
    const from = isWhole ? firstBlock : Math.max(firstBlock, near(top) - MARGIN_BLOCKS);
    const to = isWhole ? lastBlock : Math.min(lastBlock, near(bottom) + MARGIN_BLOCKS);
    for (const [index, block] of this.#blocks) {
      if (index < from || index > to) this.#remove(index, block);
    }
    for (let index = from; index <= to; index++) this.#ask(index);
  }

  #ask(index: number): void {
    let block = this.#blocks.get(index);
    if (!block) {
      const element = document.createElement('div');
      element.className = 'block';
      element.setAttribute('role', 'presentation');
      this.#place(index, element);
      this.#canvas.insertBefore(element, this.#elementAfter(index));
      block = { element, isFresh: false, isAsked: false };
      this.#blocks.set(index, block);
    }
    if (block.isFresh || block.isAsked) return;
    block.isAsked = true;
    block.isFresh = true;
    this.#read(index * BLOCK_ROWS, endOf(index));
  }

  /** The block to insert before: selections and screen readers go through blocks in line order. */
  #elementAfter(index: number): HTMLElement | null {
    let next = Infinity;
    for (const other of this.#blocks.keys()) if (other > index && other < next) next = other;
    return this.#blocks.get(next)?.element ?? null;
  }

  #remove(index: number, block: Block): void {
    block.element.remove();
    this.#blocks.delete(index);
  }
}

function endOf(index: number): number {
  return (index + 1) * BLOCK_ROWS;
}
