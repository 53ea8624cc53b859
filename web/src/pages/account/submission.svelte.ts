/** Something somebody tries, one at a time: whether it is on its way, and what came of it in words. */
import { errorWords } from '../../ui/errors'
import { PasskeyCancelled } from './passkeys'

export class Submission {
  isBusy = $state(false)
  errorText = $state('')
  successText = $state('')

  /** Try it; `done` is said when it has worked. Returns whether it has. */
  async run(work: () => Promise<unknown>, successText = ''): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
    this.errorText = ''
    this.successText = ''
    try {
      await work()
      this.successText = successText
      return true
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) this.errorText = errorWords(error)
      return false
    } finally {
      this.isBusy = false
    }
  }
}
