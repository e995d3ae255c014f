// Short sounds made on the spot: a few damped sines, no files. The first one waits for a gesture, as browsers ask.

export type Sound = "pick" | "turn" | "place" | "complete" | "mine" | "no";

interface Tone {
  at: number; // seconds from now
  pitch: number;
  to?: number; // glides there
  long: number;
  loud: number;
  wave?: OscillatorType;
}

const TONES: Record<Sound, Tone[]> = {
  pick: [{ at: 0, pitch: 520, to: 660, long: 0.07, loud: 0.12 }],
  turn: [{ at: 0, pitch: 880, long: 0.04, loud: 0.06, wave: "triangle" }],
  place: [
    { at: 0, pitch: 210, to: 150, long: 0.11, loud: 0.3 },
    { at: 0, pitch: 1400, to: 900, long: 0.03, loud: 0.05, wave: "triangle" },
  ],
  complete: [
    { at: 0, pitch: 523, long: 0.35, loud: 0.14 },
    { at: 0.09, pitch: 659, long: 0.35, loud: 0.14 },
    { at: 0.18, pitch: 988, long: 0.6, loud: 0.12 },
  ],
  mine: [
    { at: 0, pitch: 440, long: 0.25, loud: 0.12 },
    { at: 0.14, pitch: 587, long: 0.4, loud: 0.12 },
  ],
  no: [{ at: 0, pitch: 180, to: 140, long: 0.12, loud: 0.14, wave: "triangle" }],
};

let context: AudioContext | undefined;

export function play(name: Sound): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const tone of TONES[name]) ring(context, tone);
}

function ring(audio: AudioContext, { at, pitch, to, long, loud, wave }: Tone): void {
  const start = audio.currentTime + at;
  const source = new OscillatorNode(audio, { type: wave ?? "sine", frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + long);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + long + 0.02);
}
