/** The name of the browser's database of games, for whoever checks whether it exists. */
export const DATABASE = 'punct'
