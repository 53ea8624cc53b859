/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The kernel's file, among the page's own; see kernel.ts. */
declare const __KERNEL__: string
/** The file of the network that it plays by. */
declare const __NETWORK__: string
/** Whether a server stands behind the page; see vite.config.ts. */
declare const __SERVED__: boolean
/** Names this build of the page, by what it was made from; see offline.ts. */
declare const __BUILD__: string
