/** Compile the kernel's file: while it is loading if the host sends its type, afterwards if not. */
export async function compileKernel(file: Response): Promise<WebAssembly.Module> {
  if (file.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(file)
  return WebAssembly.compile(await file.arrayBuffer())
}
