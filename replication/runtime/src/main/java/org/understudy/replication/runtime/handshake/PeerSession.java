package org.understudy.replication.runtime.handshake;

import org.understudy.replication.core.wire.WireVersions;

/** The protection of one connection after its handshake, against altered, replayed, reordered and missing frames. */
public final class PeerSession {
  private final FrameSeal outgoing;
  private final FrameSeal incoming;
  private final ContentDigest outgoingContent;
  private final ContentDigest incomingContent;
  private final int wire;

  /** @param wire the newest version that both ends read */
  PeerSession(byte[] outgoing, ContentKey outgoingContent, byte[] incoming, ContentKey incomingContent, int wire) {
    this.wire = wire;
    this.outgoing = new FrameSeal(outgoing);
    this.incoming = new FrameSeal(incoming);
    this.outgoingContent = outgoingContent.digest();
    this.incomingContent = incomingContent.digest();
  }

  /** The newest wire version that both ends read. */
  public int wire() {
    return wire;
  }

  /** Whether the dialer may ask for the answer to a frame on this connection. */
  public boolean answers() {
    return wire >= WireVersions.ANSWERED_FRAMES;
  }

  /** Seals what this side sends, in order. */
  public FrameSeal outgoing() {
    return outgoing;
  }

  /** Verifies what the other side sent, in order. */
  public FrameSeal incoming() {
    return incoming;
  }

  /** Digests what this side sends; the digest is valid for all connections with this side's {@link Credentials}. */
  public ContentDigest outgoingContent() {
    return outgoingContent;
  }

  /** Digests what the other side sent. */
  public ContentDigest incomingContent() {
    return incomingContent;
  }
}
