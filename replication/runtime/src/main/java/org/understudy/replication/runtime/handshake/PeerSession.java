package org.understudy.replication.runtime.handshake;

/** The protection of one connection after its handshake: what is altered, replayed, reordered or left out is noticed. */
public final class PeerSession {
  private final FrameSeal outgoing;
  private final FrameSeal incoming;
  private final ContentDigest outgoingContent;
  private final ContentDigest incomingContent;

  PeerSession(byte[] outgoing, ContentKey outgoingContent, byte[] incoming, ContentKey incomingContent) {
    this.outgoing = new FrameSeal(outgoing);
    this.incoming = new FrameSeal(incoming);
    this.outgoingContent = outgoingContent.digest();
    this.incomingContent = incomingContent.digest();
  }

  /** Seals what this side sends, in the order of sending. */
  public FrameSeal outgoing() {
    return outgoing;
  }

  /** Checks what the other side sent, in the order of its arrival. */
  public FrameSeal incoming() {
    return incoming;
  }

  /** Digests what this side sends; the digest holds for all connections that share this side's {@link Credentials}. */
  public ContentDigest outgoingContent() {
    return outgoingContent;
  }

  /** Digests what the other side sent. */
  public ContentDigest incomingContent() {
    return incomingContent;
  }
}
