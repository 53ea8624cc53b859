/** The kernel's file, compiled: while it comes where the host says what it is, afterwards where it sends just a file. */
export async function compiled(file: Response): Promise<WebAssembly.Module> {
  if (file.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(file)
  return WebAssembly.compile(await file.arrayBuffer())
}
