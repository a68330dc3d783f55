import type { Page } from "playwright-core";

/** Drops a file on the page, as a person does. */
export async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ({ name: fileName, base64 }) => {
      const file = new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName);
      const data = new DataTransfer();
      data.items.add(file);
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    { name, base64: Buffer.from(bytes).toString("base64") },
  );
}
