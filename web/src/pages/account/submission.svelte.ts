/** Submits a form, once at a time: whether a request is running, and its result in words. */
import { errorWords } from '../../ui/errors'
import { PasskeyCancelled } from './passkeys'

export class Submission {
  isBusy = $state(false)
  errorText = $state('')
  successText = $state('')

  /** Run a request; `successText` is shown if it succeeds. Returns whether it has succeeded. */
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
