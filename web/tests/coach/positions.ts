/** Positions of games between weak players, and what was played there. */

/** White to move. Turning g13 away uncovers g14, through which Black then connects; f9-h11se is best. */
export const OPENS =
  'standard w wRa7se wLb8se bLc9nw wMd10nw bRe12se wTf9sw bEf14sw wLg12s wCh13se bLh16sw bTi11s wMk12nw bMk14s ' +
  'wEk16sw wCm14se bCm15se wEn13se bCp15se wEq11n bRd12s wEg13n bTj14sw'

/** Black to move, and White threatens to connect; q14-m14sw stops it, and no win after it could be found. */
export const THREATENED =
  'standard b bLd1n bRh14se bMh15sw wMi2sw wRk3nw wEk5n bEk8sw wLk12se bCl8n bEl13nw wCm10n bCm12ne wEm14se ' +
  'wEm16sw bMn7s wCn16ne bEo10s bTp10ne bLp16nw wRq13nw bEq14n wLk12n bTl13ne wMm10sw wEm11n'

/** White to move, who can connect. */
export const WINNING =
  'standard w bRb1ne wTb8s wEc5s bTd4n wLd8sw wTd12ne bLe4s wRe11ne wLf10nw bEg2se wMh12se wCh14ne bEi5sw ' +
  'bMj4ne bCl9se wTl13n wEl15nw wTl16nw bLm7nw bCm8se bMn11se wMn15ne bTp11se'

/** White to move, and neither side has a win that could be found. After Tf5se Black has one in two; Lf10ne holds. */
export const QUIET = 'standard w wRc3s wCd4n wCe8ne wMi12sw bEi14se bMi16s bRk12nw wEk17s wMl14sw bCm7n bCm10n bEm12n'

/** White to move. After Ec9n Black can take the lead in the centre with j13-j8n. */
export const LEADING =
  'standard w bEa4ne bRd3s bMd4nw bLd7n wTd11n bCe3n wTf1nw bEf5se wCi4se wLj3ne bTj13nw bMk6nw bEk14s wRl5ne ' +
  'bRl8n bTl14se wCm8n wTn14s wEn15n wTo10nw bCo12ne wTo15se wTp17s wEq10n wLq13n wMm9sw bLo12se'

/** A whole game between two of the lowest level, which White loses after some chances. */
export const GAME = (
  'Cm8n Co12ne Lj3ne Ea4ne Tn14s Rl8n En15n Li6se To10nw Md4nw Rl5ne Mf6n To15se Ce3n Lq13n Ef5se Eq10n Ld7n ' +
  'Ci4se Rd3s Tp17s Tl14se Mm11sw Ek14s Tf1nw i6-o12se Td11n f6-k6nw m11-m9sw Tj13nw Ec9n e3-k9n Ef10n Ec5ne ' +
  'Rf3se Tl10n f10-f3nw j13-j7sw'
).split(' ')
