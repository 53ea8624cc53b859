/** What the browser calls the place where games are kept: known to whoever looks whether there is one. */
export const DATABASE = 'punct'
