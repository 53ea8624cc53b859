/** Small notes in the browser's storage: old, broken or impossible ones never harm. */
export type Reader = Pick<Storage, 'getItem'>
export type Writer = Pick<Storage, 'setItem'>

/** What was noted, by name; nothing if there is no note, or none that can be read. */
export function readNote(storage: Reader, key: string): Readonly<Record<string, unknown>> {
  try {
    const noted: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    return typeof noted === 'object' && noted !== null ? (noted as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Note something; a browser that keeps nothing (private windows, full storage) goes on with what it has. */
export function writeNote(storage: Writer, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Then it is as the first time when the page is opened again.
  }
}
