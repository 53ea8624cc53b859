/// <reference types="svelte" />
/// <reference types="vite/client" />

/** Where the kernel lies, from the page's root: see kernel.js. */
declare const __KERNEL__: string
