/** The fields of a packet as a tree. Arrows move in it, right and left open and close; the chosen field shows its bits everywhere. */
import { useId } from "preact/hooks";
import type { TraceField } from "wirewalk/wire";
import { fieldPlace, fieldWords } from "../../feed/bytes.ts";
import type { FieldMeaning } from "../model/field-meaning.ts";
import type { FieldNode } from "../model/field-tree.ts";
import { fieldClass, meets } from "./marks.ts";
import type { PartSelection } from "./selection.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 24;

export interface FieldTreeViewProps {
  readonly selection: PartSelection;
  readonly label: string;
  readonly meaning: (field: TraceField) => FieldMeaning | undefined;
}

export function FieldTreeView({ selection, label, meaning }: FieldTreeViewProps) {
  const id = useId();
  const shown = selection.shown();
  const node = selection.node.value;
  const active = shown.indexOf(node);
  const { tree, part } = selection;
  const step = (to: number): void => {
    const next = shown[Math.min(Math.max(0, to), shown.length - 1)];
    if (next !== undefined) selection.chooseNode(next);
  };
  const key = (event: KeyboardEvent, pageRows: number): void => {
    const at = tree.nodes[node];
    const isClosed = selection.closed.value.has(node);
    switch (event.key) {
      case "ArrowDown":
        step(active + 1);
        break;
      case "ArrowUp":
        step(Math.max(0, active) - 1);
        break;
      case "PageDown":
        step(active + pageRows);
        break;
      case "PageUp":
        step(active - pageRows);
        break;
      case "Home":
        step(0);
        break;
      case "End":
        step(shown.length - 1);
        break;
      case "ArrowRight":
        if (at === undefined || at.children.length === 0) break;
        if (isClosed) selection.toggle(node);
        else selection.chooseNode(at.children[0] ?? node);
        break;
      case "ArrowLeft":
        if (at === undefined) break;
        if (at.children.length > 0 && !isClosed) selection.toggle(node);
        else if (at.parent >= 0) selection.chooseNode(at.parent);
        break;
      case "Enter":
      case " ":
        if (at !== undefined && at.children.length > 0) selection.toggle(node);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  if (tree.nodes.length === 0) return <p class="empty">No field was read.</p>;
  return (
    <VirtualRows
      count={shown.length}
      rowPx={ROW_PX}
      active={active}
      class="tree"
      role="tree"
      label={label}
      activeId={active < 0 ? undefined : `${id}-${node}`}
      onKey={key}
      row={(index) => {
        const each = tree.nodes[shown[index] ?? -1];
        if (each === undefined) return null;
        return (
          <TreeRow
            id={`${id}-${each.id}`}
            node={each}
            field={part.fields[each.field]}
            selection={selection}
            meaning={meaning}
          />
        );
      }}
    />
  );
}

interface TreeRowProps {
  readonly id: string;
  readonly node: FieldNode;
  readonly field: TraceField | undefined;
  readonly selection: PartSelection;
  readonly meaning: FieldTreeViewProps["meaning"];
}

function TreeRow({ id, node, field, selection, meaning }: TreeRowProps) {
  const holds = node.children.length > 0;
  const isClosed = selection.closed.value.has(node.id);
  const isChosen = selection.node.value === node.id;
  const isMet = meets(node, selection.pointed.value);
  const expanded = holds ? { "aria-expanded": !isClosed } : {};
  const unit = field === undefined ? undefined : meaning(field)?.unit;
  return (
    // Keys are taken by the tree, which has the focus.
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={node.depth}
      aria-selected={isChosen}
      {...expanded}
      class={`tree-row ${isChosen ? "chosen" : ""} ${isMet ? "pointed" : ""}`}
      style={{ paddingLeft: `${6 + (node.depth - 1) * 16}px`, height: `${ROW_PX}px` }}
      onPointerEnter={() => selection.pointAtNode(node.id)}
      onPointerLeave={() => selection.pointNowhere()}
      onClick={() => selection.chooseNode(node.id)}
      onDblClick={() => selection.toggle(node.id)}
    >
      <button
        type="button"
        class="tree-toggle"
        tabIndex={-1}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          if (holds) selection.toggle(node.id);
        }}
      >
        {holds ? (isClosed ? "▸" : "▾") : ""}
      </button>
      <span class={`chip ${fieldClass(node.field)}`} aria-hidden="true" />
      <span class="tree-name">{node.name}</span>
      {node.isFlag ? (
        <span class="tree-value">
          {selection.isSet(node.from) ? "set" : "not set"}
          <span class="hint"> = {selection.isSet(node.from) ? 1 : 0}</span>
        </span>
      ) : field === undefined ? (
        <span class="tree-value hint">{node.children.length === 1 ? "1 field" : `${node.children.length} fields`}</span>
      ) : (
        <span class="tree-value">
          {fieldWords(field).words}
          {field.shown !== String(field.raw) ? (
            // Words have their unit in them.
            <span class="hint"> = {shortRaw(field.raw)}</span>
          ) : unit === undefined || unit === "" ? null : (
            <span class="hint"> {unit}</span>
          )}
        </span>
      )}
      <span class="tree-place">{placeText(node, field)}</span>
    </div>
  );
}

function placeText(node: FieldNode, field: TraceField | undefined): string {
  if (field === undefined) return "";
  return fieldPlace(node.isFlag ? { bitOffset: node.from, bitLength: 1 } : field);
}

/** Digits of a run of bytes that a row shows. */
const RAW_CHARACTERS = 40;

function shortRaw(raw: TraceField["raw"]): string {
  const text = String(raw);
  return text.length > RAW_CHARACTERS ? `${text.slice(0, RAW_CHARACTERS)}…` : text;
}
