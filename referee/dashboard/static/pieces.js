// How does sound leave the browser's audio thread? In pieces of a tenth of a second, with the time of their first sample.

class Pieces extends AudioWorkletProcessor {
  constructor() {
    super();
    this.pcm = new Int16Array(sampleRate / 10);
    this.filled = 0;
  }

  process([[channel]]) {
    for (const sample of channel ?? []) {
      if (this.filled === 0) this.t = currentTime;
      this.pcm[this.filled++] = Math.max(-1, Math.min(1, sample)) * 32767;
      if (this.filled === this.pcm.length) {
        this.port.postMessage({ t: this.t, pcm: this.pcm.buffer.slice(0) });
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("pieces", Pieces);
