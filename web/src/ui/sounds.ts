/** Synthesized sounds: stone on wood, a soft refusal, and a few notes at the end. */
import type { Colour } from '../api/model'

export interface Sounds {
  place(level: number): void
  refuse(): void
  /** It is the player's turn, who may be looking elsewhere. */
  alert(): void
  end(winner: Colour | null, me: Colour | null): void
}

export class SynthesizedSounds implements Sounds {
  #context: AudioContext | null = null

  constructor(readonly isEnabled: () => boolean) {}

  /** A knock: a short burst of noise through a narrow filter, brighter the higher the piece lies. */
  place(level: number): void {
    const context = this.#activeContext()
    if (!context) return
    const length = 0.09
    const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate)
    const samples = buffer.getChannelData(0)
    for (let index = 0; index < samples.length; index++) {
      samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length) ** 6
    }
    const source = new AudioBufferSourceNode(context, { buffer })
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: 850 + level * 260, Q: 1.4 })
    source
      .connect(filter)
      .connect(new GainNode(context, { gain: 0.9 }))
      .connect(context.destination)
    source.start()
    this.#note(190 + level * 40, 0, 0.07, 0.18)
  }

  refuse(): void {
    this.#note(150, 0, 0.12, 0.1)
  }

  alert(): void {
    this.#note(659, 0.12, 0.3, 0.06)
    this.#note(880, 0.26, 0.45, 0.06)
  }

  end(winner: Colour | null, me: Colour | null): void {
    const isLost = me !== null && winner !== null && winner !== me
    const notes = isLost ? [330, 277, 220] : winner ? [392, 494, 587, 784] : [392, 440]
    notes.forEach((pitch, index) => this.#note(pitch, 0.25 + index * 0.14, 0.5, 0.08))
  }

  #note(pitch: number, delay: number, length: number, loudness: number): void {
    const context = this.#activeContext()
    if (!context) return
    const start = context.currentTime + delay
    const tone = new OscillatorNode(context, { type: 'sine', frequency: pitch })
    const gain = new GainNode(context, { gain: 0 })
    gain.gain.setValueAtTime(0, start)
    gain.gain.linearRampToValueAtTime(loudness, start + 0.008)
    gain.gain.exponentialRampToValueAtTime(0.0005, start + length)
    tone.connect(gain).connect(context.destination)
    tone.start(start)
    tone.stop(start + length)
  }

  /** The audio context, once the player has touched the page: before, browsers forbid sound. */
  #activeContext(): AudioContext | null {
    if (!this.isEnabled() || typeof AudioContext === 'undefined') return null
    if (navigator.userActivation?.hasBeenActive === false) return null
    this.#context ??= new AudioContext()
    if (this.#context.state === 'suspended') void this.#context.resume()
    return this.#context
  }
}
