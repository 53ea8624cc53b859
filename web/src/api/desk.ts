/** Requests for what only the player themself sees in a game: conditional moves, notes and variations. */
import { request } from './client'
import type { Notebook, NotebookRequest, Plan, PlanRequest } from './model'

const path = (game: string, part: string): string => `/games/${encodeURIComponent(game)}/${part}`

export const desk = {
  plan: (game: string) => request<Plan>('GET', path(game, 'plan')),
  savePlan: (game: string, body: PlanRequest) => request<Plan>('PUT', path(game, 'plan'), { body }),
  withdrawPlan: (game: string, version: number) => request<Plan>('DELETE', `${path(game, 'plan')}?version=${version}`),
  notebook: (game: string) => request<Notebook>('GET', path(game, 'notebook')),
  saveNotebook: (game: string, body: NotebookRequest) => request<Notebook>('PUT', path(game, 'notebook'), { body }),
}
