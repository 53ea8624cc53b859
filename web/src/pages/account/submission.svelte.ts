/** Something somebody tries, one at a time: whether it is on its way, and what came of it in words. */
import { errorWords } from '../../ui/errors'
import { PasskeyCancelled } from './passkeys'

export class Submission {
  busy = $state(false)
  trouble = $state('')
  done = $state('')

  /** Try it; `done` is said when it has worked. Returns whether it has. */
  async run(work: () => Promise<unknown>, done = ''): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.trouble = ''
    this.done = ''
    try {
      await work()
      this.done = done
      return true
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) this.trouble = errorWords(error)
      return false
    } finally {
      this.busy = false
    }
  }
}
