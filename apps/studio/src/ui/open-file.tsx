/** A button that opens a file: for thumbs and keyboards, which drop nothing. */
import { useRef } from "preact/hooks";

export interface OpenFileProps {
  readonly class: string;
  readonly title?: string;
  readonly children: string;
  readonly open: (file: File) => void;
}

export function OpenFile({ children, title, open, class: name }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={name} title={title} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="File to open"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) open(chosen);
          // The same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
