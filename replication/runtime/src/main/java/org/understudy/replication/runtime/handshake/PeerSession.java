package org.understudy.replication.runtime.handshake;

/** The protection of one connection after its handshake, against altered, replayed, reordered and missing frames. */
public final class PeerSession {
  private final FrameSeal outgoing;
  private final FrameSeal incoming;
  private final ContentDigest outgoingContent;
  private final ContentDigest incomingContent;
  private final boolean answers;

  /** @param answers whether both ends read frames that are answered */
  PeerSession(byte[] outgoing, ContentKey outgoingContent, byte[] incoming, ContentKey incomingContent, boolean answers) {
    this.answers = answers;
    this.outgoing = new FrameSeal(outgoing);
    this.incoming = new FrameSeal(incoming);
    this.outgoingContent = outgoingContent.digest();
    this.incomingContent = incomingContent.digest();
  }

  /** Whether the dialer may ask for the answer to a frame on this connection. */
  public boolean answers() {
    return answers;
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
