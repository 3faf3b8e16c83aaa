package org.understudy.replication.runtime.handshake;

/** The protection of one connection after its handshake: what is altered, replayed, reordered or left out is noticed. */
public final class PeerSession {
  private final FrameSeal outgoing;
  private final FrameSeal incoming;

  PeerSession(byte[] outgoing, byte[] incoming) {
    this.outgoing = new FrameSeal(outgoing);
    this.incoming = new FrameSeal(incoming);
  }

  /** Seals what this side sends, in the order of sending. */
  public FrameSeal outgoing() {
    return outgoing;
  }

  /** Checks what the other side sent, in the order of its arrival. */
  public FrameSeal incoming() {
    return incoming;
  }
}
