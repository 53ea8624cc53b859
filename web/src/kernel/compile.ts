/** The kernel's file, compiled: while it comes if the host says what it is, afterwards if it sends just any file. */
export async function compileKernel(file: Response): Promise<WebAssembly.Module> {
  if (file.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(file)
  return WebAssembly.compile(await file.arrayBuffer())
}
