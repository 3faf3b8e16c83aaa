package org.understudy.replication.runtime.handshake;

import java.io.IOException;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

/** The accepting side of a handshake. For one connection; used by one thread. */
public final class Acceptor {
  /** The length of a hello, in bytes. */
  public static final int HELLO_BYTES = Transcript.HELLO_BYTES;

  private final Credentials own;
  private final Transcript transcript;
  private int from;
  private int to;
  private byte[] salt;
  private int wire;
  private String difference;

  public Acceptor(Credentials own) {
    this.own = own;
    this.transcript = new Transcript(own.secret());
  }

  /**
   * The second message.
   *
   * @throws RefusedPeerException when the dialer does not know the secret; the caller then sends {@link #notice}
   */
  public byte[] reply(byte[] hello) throws RefusedPeerException {
    transcript.checkHello(hello);
    from = hello[4];
    to = hello[5];
    return transcript.reply(own.self().number());
  }

  /** The message that rejects a dialer which proved no secret. */
  public static byte[] notice(RefusedPeerException refusal) {
    return new byte[] {(byte) (refusal.reason().ordinal() + 1)};
  }

  /**
   * The last message, the answer to the dialer's confirmation. Sent even when {@link #complete} refuses, so that both sides
   * can name the difference.
   */
  public byte[] answer(byte[] confirm) throws IOException {
    Transcript.Described described = Transcript.checkDescribed(transcript.key("dial"), confirm);
    GroupDescription peerDescription = described.group();
    salt = described.salt();
    wire = own.group().wireWith(peerDescription);
    if (from < 1 || from > ReplicaId.MAX) {
      throw new RefusedPeerException(Reason.PROTOCOL, "It claims to be replica " + from + ".");
    }
    difference = own.group().difference(peerDescription, new ReplicaId(from));
    if (difference == null && (from == own.self().number() || !own.group().peers().containsKey(new ReplicaId(from)))) {
      difference = "It claims to be replica " + from + " (understudy.replica), and this is replica " + own.self() + ".";
    }
    if (difference == null && to != own.self().number()) {
      difference = "It expects replica " + to + " at this address, and this is replica " + own.self()
          + " (understudy.replica).";
    }
    if (difference == null) {
      own.advise(peerDescription, new ReplicaId(from));
    }
    return Transcript.described(transcript.key("accept"), own.contentKey(), own.group().encode());
  }

  /** The replica number that the dialer proved; valid after {@link #answer}. */
  public ReplicaId peer() {
    return new ReplicaId(from);
  }

  /**
   * The protection of all that follows.
   *
   * @throws RefusedPeerException when the dialer is configured differently
   */
  public PeerSession complete() throws RefusedPeerException {
    if (difference != null) {
      throw new RefusedPeerException(Reason.CONFIGURATION, difference);
    }
    return new PeerSession(
        transcript.key("accept"), own.contentKey(), transcript.key("dial"), ContentKey.of(own.secret(), salt),
        wire);
  }
}
