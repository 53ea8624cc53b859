// What a page shows, read from what is drawn on it.
() => {
  const all = (within, selector) => [...within.querySelectorAll(selector)]
  const numbers = (text) => (text.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map(Number)
  const here = (name) => document.querySelector(`[data-testid="${name}"]`)
  const board = document.querySelector('[data-testid="board"]:has(> svg [data-space], > svg[role="img"])')
  const svg = board?.querySelector(':scope > svg') ?? null

  /** Every dot as it is drawn, in the order of painting. */
  const dots = svg
    ? all(svg, 'g.place').flatMap((place) => {
        const [x, y] = numbers(place.style.transform)
        const piece = place.querySelector('g.piece')
        const flat = [...piece.children].at(-1)
        const [, squash] = numbers(flat.getAttribute('transform'))
        return all(flat, ':scope > g').map((dot, index) => {
          const [dx, dy] = numbers(dot.getAttribute('transform'))
          return {
            x: x + dx,
            y: y + dy * squash,
            punct: index === 0,
            colour: piece.classList.contains('w') ? 'w' : 'b',
            level: Number(dot.querySelector('text.height')?.textContent ?? 1),
            recent: piece.querySelector('g.recent') !== null,
          }
        })
      })
    : []
  const spaces = {}
  const labels = {}
  let recent = null
  for (const circle of svg ? all(svg, 'circle[data-space]') : []) {
    const [x, y] = [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))]
    const top = dots.findLast((dot) => Math.abs(dot.x - x) < 0.5 && Math.abs(dot.y - y) < 0.5)
    spaces[circle.dataset.space] = top ? `${top.colour}${top.level}` : ''
    labels[circle.dataset.space] = circle.getAttribute('aria-label')
    if (top?.recent && top.punct) recent = circle.dataset.space
  }

  const sets = {}
  for (const button of all(document, '[data-testid^="take-"]')) {
    sets[button.dataset.testid.slice(5)] = Number(button.querySelector('.count').textContent)
  }
  const buttons = {}
  for (const button of all(document, 'button[data-testid]')) {
    buttons[button.dataset.testid] = !button.disabled && getComputedStyle(button).visibility !== 'hidden'
  }
  const ghost = svg?.querySelector('[data-testid="ghost"]') ?? null
  const task = here('lesson') ?? here('puzzle')
  const focus = document.activeElement
  return {
    language: document.documentElement.lang,
    picture: svg?.getAttribute('role') === 'img',
    spaces,
    labels,
    recent,
    sets,
    buttons,
    inHand:
      ghost !== null ||
      svg?.querySelector('.lifted') !== null ||
      !!document.querySelector('[aria-pressed="true"][data-testid^="take-"]'),
    ghost: ghost?.classList.contains('fixed') ? `${ghost.dataset.space}${ghost.dataset.heading}` : null,
    sending: ghost?.classList.contains('busy') ?? false,
    moves: all(document, '[data-testid="moves"] [data-ply]').map((one) =>
      one.getAttribute('title') && one.closest('.told') ? one.title : one.textContent),
    current: Number(document.querySelector('[data-testid="moves"] [aria-current]')?.dataset.ply ?? 0),
    toMove: ['w', 'b'].filter((colour) => here(`player-${colour}`)?.classList.contains('to-move')),
    tree: all(document, '[data-testid="tree"] [data-path]').map((one) => [
      one.dataset.path,
      one.textContent.replace(/[!?]+$/, '')]),
    path: document.querySelector('[data-testid="tree"] [aria-current]')?.dataset.path ?? '',
    task: task && { board: task.dataset.board, stage: task.dataset.stage, ply: Number(task.dataset.ply ?? 0) },
    asked: here('coach-question') !== null,
    resigning: here('question') !== null,
    typing: !!focus?.closest('input, select, textarea, [role="alertdialog"]'),
    pressing: !!focus?.closest('button, a, summary') && !focus.closest('[data-set]'),
    focused: focus?.dataset?.space ?? null,
  }
}
